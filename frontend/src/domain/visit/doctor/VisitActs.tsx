import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { type StatusChange, setAppointmentStatus } from '@/api/calls';
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

function said(status: AppointmentStatus, attended?: boolean): string {
  if (attended === undefined) return `Appointment marked as ${status} successfully!`;
  return attended ? 'Marked as a visit that took place' : 'Marked as “did not come”';
}

const question = (status: AppointmentStatus) =>
  `Are you sure you want to mark this appointment as ${status}?`;

interface Props {
  visit: Appointment;
  /** Without what is done after a visit, while it is ahead. */
  brief?: boolean;
  /** The buttons go with the act, so focus needs another place. */
  onDone: () => void;
  /** Where the record is written, completing stands beside it. */
  noComplete?: boolean;
}

/** What a doctor may do with a visit now, each asked about before it is done. */
export function VisitActs({ visit, brief, onDone, noComplete }: Props) {
  const client = useQueryClient();
  const { data: config } = useQuery(configQuery);
  const [cancelling, setCancelling] = useState(false);
  const [proposing, setProposing] = useState(false);
  const change = useMutation({
    mutationFn: (wanted: StatusChange) => setAppointmentStatus(visit._id, wanted),
    onSuccess: ({ data }, { status, attended }) => {
      notify.success(said(status, attended));
      placeVisit(client, data.appointment);
    },
    onError: (error) => {
      // A refusal means that the visit is not what this page shows.
      if (error instanceof ApiError && !error.isOutage) forgetVisits(client);
    },
  });

  const about = `${visit.patient.name}, ${formatDayTime(visit.appointmentDate, visit.appointmentTime)}.`;

  const set = (wanted: StatusChange) =>
    change.mutate(wanted, {
      onSuccess: onDone,
      onError: (error) => notify.error(messageOf(error, FAILED)),
    });

  const ask = async (status: 'confirmed' | 'completed', action: string) => {
    const early = status === 'completed' && isAhead(visit);
    const sure = await confirm({
      title: question(status),
      body: early ? `${about} The visit has not started yet.` : about,
      action,
    });
    if (sure) set({ status });
  };

  const askWhoCame = async (attended: boolean) => {
    const { name } = visit.patient;
    const sure = await confirm({
      title: attended ? `${name} came after all?` : `${name} did not come?`,
      body: attended
        ? `${about} The visit counts as held again, with its fee.`
        : `${about} The visit is closed without a fee. You can take this back.`,
      action: attended ? 'The patient came' : 'Did not come',
    });
    if (sure) set({ status: 'completed', attended });
  };

  const waiting = visit.status === 'pending';
  const doing = change.isPending ? change.variables.status : null;
  const judging = change.isPending ? change.variables.attended : undefined;
  const cancel = appointmentCan.doctorCancel(visit, config?.policies) && (
    <Button key="cancel" variant="danger" onClick={() => setCancelling(true)}>
      {waiting ? 'Decline' : 'Cancel visit'}
    </Button>
  );
  const acts = [
    appointmentCan.confirm(visit) && (
      <Button
        key="confirm"
        data-shortcut="confirm"
        icon={<CheckIcon size={20} />}
        busy={doing === 'confirmed'}
        busyLabel="Confirming..."
        onClick={() => ask('confirmed', 'Confirm')}
      >
        Confirm
      </Button>
    ),
    !noComplete && appointmentCan.complete(visit) && !(brief && isAhead(visit)) && (
      <Button
        key="complete"
        variant="secondary"
        icon={<CheckIcon size={20} />}
        busy={doing === 'completed' && judging === undefined}
        busyLabel="Completing..."
        onClick={() => ask('completed', 'Mark as completed')}
      >
        Mark as completed
      </Button>
    ),
    !brief && appointmentCan.setAttended(visit, false) && (
      <Button
        key="absent"
        variant="secondary"
        busy={judging === false}
        busyLabel="Saving..."
        onClick={() => askWhoCame(false)}
      >
        Did not come
      </Button>
    ),
    !brief && appointmentCan.setAttended(visit, true) && (
      <Button
        key="came"
        variant="secondary"
        busy={judging === true}
        busyLabel="Saving..."
        onClick={() => askWhoCame(true)}
      >
        The patient came
      </Button>
    ),
    // Yes and no stand beside each other.
    waiting && cancel,
    appointmentCan.doctorPropose(visit) && !visit.cancelRequest && (
      <Button
        key="propose"
        variant={brief ? 'quiet' : 'secondary'}
        className={brief ? styles.quiet : undefined}
        onClick={() => setProposing(true)}
      >
        Propose another time
      </Button>
    ),
    !waiting && cancel,
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
