import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { setAppointmentStatus } from '@/api/calls';
import { ApiError, messageOf } from '@/api/errors';
import { configQuery, forgetVisits, placeVisit } from '@/api/queries';
import type { Appointment, AppointmentStatus } from '@/api/types';
import { appointmentCan } from '@/domain/appointmentCan';
import { ReasonDialog } from '@/domain/visit/ReasonDialog';
import { isAhead } from '@/domain/visit/sentence';
import { formatDayTime } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { confirm } from '@/ui/confirm';
import { CheckIcon } from '@/ui/icons';
import { notify } from '@/ui/notices';
import styles from './acts.module.css';
import { ProposeDialog } from './ProposeDialog';

const FAILED = 'Failed to update appointment status';

const question = (status: AppointmentStatus) =>
  `Are you sure you want to mark this appointment as ${status}?`;

interface Change {
  status: AppointmentStatus;
  reason?: string;
}

interface Props {
  visit: Appointment;
  /** Without what is done after a visit, while it is ahead. */
  brief?: boolean;
  /** The buttons go with the act, so focus needs another place. */
  onDone: () => void;
}

/** What a doctor may do with a visit now, each asked about before it is done. */
export function VisitActs({ visit, brief, onDone }: Props) {
  const client = useQueryClient();
  const { data: config } = useQuery(configQuery);
  const [cancelling, setCancelling] = useState(false);
  const [proposing, setProposing] = useState(false);
  const change = useMutation({
    mutationFn: ({ status, reason }: Change) => setAppointmentStatus(visit._id, status, reason),
    onSuccess: ({ data }, { status }) => {
      notify.success(`Appointment marked as ${status} successfully!`);
      placeVisit(client, data.appointment);
    },
    onError: (error) => {
      // A refusal means that the visit is not what this page shows.
      if (error instanceof ApiError && !error.isOutage) forgetVisits(client);
    },
  });

  const about = `${visit.patient.name}, ${formatDayTime(visit.appointmentDate, visit.appointmentTime)}.`;

  const ask = async (status: 'confirmed' | 'completed', action: string) => {
    const early = status === 'completed' && isAhead(visit);
    const sure = await confirm({
      title: question(status),
      body: early ? `${about} The visit has not started yet.` : about,
      action,
    });
    if (!sure) return;
    change.mutate(
      { status },
      { onSuccess: onDone, onError: (error) => notify.error(messageOf(error, FAILED)) },
    );
  };

  const waiting = visit.status === 'pending';
  const doing = change.isPending ? change.variables.status : null;
  const acts = [
    appointmentCan.confirm(visit) && (
      <Button
        key="confirm"
        icon={<CheckIcon size={20} />}
        busy={doing === 'confirmed'}
        busyLabel="Confirming..."
        onClick={() => ask('confirmed', 'Confirm')}
      >
        Confirm
      </Button>
    ),
    appointmentCan.complete(visit) && !(brief && isAhead(visit)) && (
      <Button
        key="complete"
        variant="secondary"
        icon={<CheckIcon size={20} />}
        busy={doing === 'completed'}
        busyLabel="Completing..."
        onClick={() => ask('completed', 'Mark as completed')}
      >
        Mark as completed
      </Button>
    ),
    appointmentCan.doctorPropose(visit) && !visit.cancelRequest && (
      <Button key="propose" variant="secondary" onClick={() => setProposing(true)}>
        Propose another time
      </Button>
    ),
    appointmentCan.doctorCancel(visit, config?.policies) && (
      <Button key="cancel" variant="danger" onClick={() => setCancelling(true)}>
        {waiting ? 'Decline' : 'Cancel visit'}
      </Button>
    ),
  ].filter(Boolean);

  return (
    <>
      {acts.length > 0 && <div className={styles.acts}>{acts}</div>}
      {proposing && (
        <ProposeDialog visit={visit} onDone={onDone} onClose={() => setProposing(false)} />
      )}
      {cancelling && (
        <ReasonDialog
          title={question('cancelled')}
          about={about}
          hint="The patient reads it."
          optional={waiting}
          action={waiting ? 'Decline' : 'Cancel visit'}
          busyLabel={waiting ? 'Declining...' : 'Cancelling...'}
          fallback={FAILED}
          onSubmit={async (reason) => {
            await change.mutateAsync({ status: 'cancelled', reason });
            // The closing dialog gives focus back first, to a button that is gone by now.
            flushSync(() => setCancelling(false));
            onDone();
          }}
          onClose={() => setCancelling(false)}
        />
      )}
    </>
  );
}
