import { useMutation, useQueryClient } from '@tanstack/react-query';
import { setAppointmentStatus } from '@/api/doctorDesk';
import { invalidateAppointments, setAppointment } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { isOutdated, reportFailedAction } from '@/domain/failedAction';
import { telHref } from '@/lib/contact';
import { formatRelative } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { Stack } from '@/ui/Stack';
import { toast } from '@/ui/toasts';
import styles from './actions.module.css';
import { describeAppointment, Subject } from './subject';

interface Props {
  appointment: Appointment;
  request: NonNullable<Appointment['cancelRequest']>;
  onDone: () => void;
}

/** A patient's request to cancel. Accepting it needs no confirmation. */
export function CancelRequest({ appointment, request, onDone }: Props) {
  const client = useQueryClient();
  const accept = useMutation({
    mutationFn: () =>
      setAppointmentStatus(appointment._id, { status: 'cancelled', expectedStatus: 'confirmed' }),
    onSuccess: ({ data }) => {
      toast.success('Appointment marked as cancelled successfully!');
      void setAppointment(client, data.appointment);
      onDone();
    },
    onError: (error) => {
      reportFailedAction(error, {
        fallback: 'Failed to update appointment status',
        about: describeAppointment(appointment),
      });
      if (isOutdated(error)) void invalidateAppointments(client);
    },
  });
  return (
    <Stack gap={2} className={styles.request}>
      <p>
        <strong>{appointment.patient.name} can’t make it.</strong>{' '}
        <span className="muted">Sent {formatRelative(request.requestedAt)}.</span>
      </p>
      {request.reason && (
        <p className="multiline">
          <span className="muted">Reason: </span>
          {request.reason}
        </p>
      )}
      <Inline rowGap={2} gap={4}>
        <Button
          variant="danger"
          busy={accept.isPending}
          busyLabel="Cancelling..."
          onClick={() => accept.mutate()}
        >
          Accept and cancel
          <Subject appointment={appointment} />
        </Button>
        {appointment.patient.phone && (
          <a href={telHref(appointment.patient.phone)} className="nowrap">
            Call {appointment.patient.phone}
          </a>
        )}
      </Inline>
    </Stack>
  );
}
