import { useMutation, useQueryClient } from '@tanstack/react-query';
import { setAppointmentStatus } from '@/api/calls';
import { ApiError, messageOf } from '@/api/errors';
import { forgetVisits, placeVisit } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { formatRelative } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { notify } from '@/ui/notices';
import styles from './acts.module.css';

interface Props {
  visit: Appointment;
  request: NonNullable<Appointment['cancelRequest']>;
  onDone: () => void;
}

/** A patient's "I cannot come". One press accepts it: the patient has asked, so nothing is asked again. */
export function CancelRequest({ visit, request, onDone }: Props) {
  const client = useQueryClient();
  const accept = useMutation({
    mutationFn: () => setAppointmentStatus(visit._id, { status: 'cancelled' }),
    onSuccess: ({ data }) => {
      notify.success('Appointment marked as cancelled successfully!');
      void placeVisit(client, data.appointment);
      onDone();
    },
    onError: (error) => {
      notify.error(messageOf(error, 'Failed to update appointment status'));
      // A refusal means that the visit is not what this page shows.
      if (error instanceof ApiError && !error.isOutage) void forgetVisits(client);
    },
  });
  return (
    <div className={styles.request}>
      <p>
        <strong>{visit.patient.name} cannot come.</strong>{' '}
        <span className="muted">Said {formatRelative(request.requestedAt)}.</span>
      </p>
      {request.reason && (
        <p className={styles.reason}>
          <span className="muted">Reason: </span>
          {request.reason}
        </p>
      )}
      <div>
        <Button
          variant="danger"
          busy={accept.isPending}
          busyLabel="Cancelling..."
          onClick={() => accept.mutate()}
        >
          Accept and cancel
        </Button>
      </div>
    </div>
  );
}
