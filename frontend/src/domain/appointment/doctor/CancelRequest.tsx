import { Trans, useLingui } from '@lingui/react/macro';
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
import { UPDATE_FAILED } from './useAppointmentActions';

interface Props {
  appointment: Appointment;
  request: NonNullable<Appointment['cancelRequest']>;
  onDone: () => void;
}

/** A patient's request to cancel. Accepting it needs no confirmation. */
export function CancelRequest({ appointment, request, onDone }: Props) {
  const { t } = useLingui();
  const client = useQueryClient();
  const { name, phone } = appointment.patient;
  const sent = formatRelative(request.requestedAt);
  const { reason } = request;
  const accept = useMutation({
    mutationFn: () =>
      setAppointmentStatus(appointment._id, { status: 'cancelled', expectedStatus: 'confirmed' }),
    onSuccess: ({ data }) => {
      toast.success(t`Appointment marked as cancelled successfully!`);
      void setAppointment(client, data.appointment);
      onDone();
    },
    onError: (error) => {
      reportFailedAction(error, {
        fallback: t(UPDATE_FAILED),
        about: describeAppointment(appointment),
      });
      if (isOutdated(error)) void invalidateAppointments(client);
    },
  });
  return (
    <Stack gap={2} className={styles.request}>
      <p>
        <Trans>
          <strong>{name} can’t make it.</strong> <span className="muted">Sent {sent}.</span>
        </Trans>
      </p>
      {reason && (
        <p className="multiline">
          <Trans>
            <span className="muted">Reason:</span> {reason}
          </Trans>
        </p>
      )}
      <Inline rowGap={2} gap={4}>
        <Button
          variant="danger"
          busy={accept.isPending}
          busyLabel={t`Cancelling...`}
          onClick={() => accept.mutate()}
        >
          <Trans>Accept and cancel</Trans>
          <Subject appointment={appointment} />
        </Button>
        {phone && (
          <a href={telHref(phone)} className="nowrap">
            <Trans>Call {phone}</Trans>
          </a>
        )}
      </Inline>
    </Stack>
  );
}
