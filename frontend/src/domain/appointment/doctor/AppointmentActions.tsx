import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import {
  type ChangedAppointment,
  reopenAppointment,
  type StatusChange,
  setAppointmentStatus,
} from '@/api/doctorDesk';
import { configQuery, invalidateAppointments, setAppointment } from '@/api/queries';
import type { Appointment, AppointmentStatus } from '@/api/types';
import { appointmentCan } from '@/domain/appointment/allowedActions';
import { ReasonDialog } from '@/domain/appointment/ReasonDialog';
import { isAhead, statusText } from '@/domain/appointment/statusText';
import { isOutdated, reportFailedAction } from '@/domain/failedAction';
import { Button } from '@/ui/Button';
import { confirm } from '@/ui/confirm';
import { Inline } from '@/ui/Inline';
import { CheckIcon } from '@/ui/icons';
import { toast } from '@/ui/toasts';
import { useNow } from '@/ui/useNow';
import styles from './actions.module.css';
import { RescheduleDialog } from './RescheduleDialog';
import { describeAppointment, Subject } from './subject';
import { UndoConfirmation } from './UndoConfirmation';

const FAILED = 'Failed to update appointment status';
const UNDO_MS = 10_000;

function successSentence(status: AppointmentStatus, attended?: boolean): string {
  if (attended === undefined) return `Appointment marked as ${status} successfully!`;
  return attended ? 'No-show undone' : 'Marked as a no-show';
}

/** The specification's question on /doctor/appointments. */
const specQuestion = (status: AppointmentStatus) =>
  `Are you sure you want to mark this appointment as ${status}?`;

interface Props {
  appointment: Appointment;
  /** Only what answers a request, as in the dashboard's queue. */
  brief?: boolean;
  /**
   * Confirm at once and offer to undo that, and ask other questions in our own words: on the
   * dashboard and in the calendar. Elsewhere every change is asked about as the specification says.
   */
  instant?: boolean;
  /** The buttons go with the act, so focus needs another place. */
  onDone: () => void;
  /** The same when a confirmation can't be undone any more, if that is another place. */
  onUndoOver?: () => void;
  /** Where the record is written, completing is beside it. */
  noComplete?: boolean;
}

/** What a doctor can do with an appointment now. */
export function AppointmentActions({
  appointment,
  brief,
  instant,
  onDone,
  onUndoOver,
  noComplete,
}: Props) {
  const client = useQueryClient();
  const { data: config } = useQuery(configQuery);
  const now = useNow();
  const [cancelling, setCancelling] = useState(false);
  const [rescheduling, setRescheduling] = useState(false);
  const [undo, setUndo] = useState(() =>
    appointment.undoUntil ? { until: Date.parse(appointment.undoUntil), isNew: false } : null,
  );

  const subject = describeAppointment(appointment);
  const about = `${subject}.`;
  const isPending = appointment.status === 'pending';

  const change = useMutation({
    mutationFn: (data: StatusChange) =>
      setAppointmentStatus(appointment._id, { ...data, expectedStatus: appointment.status }),
    onSuccess: ({ data }, sent) => {
      if (data.changed === false) reportUnchanged(data, sent, subject);
      else if (sent.undoable) {
        // Timed here, since this computer's clock may not be the server's.
        if (data.appointment.undoUntil) setUndo({ until: Date.now() + UNDO_MS, isNew: true });
      } else toast.success(successSentence(sent.status, sent.attended));
      void setAppointment(client, data.appointment);
    },
  });
  const reopen = useMutation({
    mutationFn: () => reopenAppointment(appointment._id),
    onSuccess: ({ data }) => {
      toast.success('Appointment reopened');
      void setAppointment(client, data.appointment);
      onDone();
    },
    onError: (error) => reportFailure(error, 'Failed to reopen the appointment'),
  });

  function reportFailure(error: unknown, fallback: string) {
    reportFailedAction(error, { fallback, about: subject });
    if (isOutdated(error)) void invalidateAppointments(client);
  }

  const set = (data: StatusChange) =>
    change.mutate(data, {
      onSuccess: ({ data: { changed } }) => {
        // What can be undone takes the focus itself.
        if (!data.undoable || changed === false) onDone();
      },
      onError: (error) => reportFailure(error, FAILED),
    });

  const askToConfirm = async () => {
    if (instant) {
      set({ status: 'confirmed', undoable: true });
      return;
    }
    const title = specQuestion('confirmed');
    if (await confirm({ title, body: about, action: 'Confirm' })) set({ status: 'confirmed' });
  };

  const askToComplete = async () => {
    const sure = await confirm({
      title: instant ? 'Mark this appointment as completed?' : specQuestion('completed'),
      body: isAhead(appointment) ? `${about} It has not started yet.` : about,
      action: 'Mark as completed',
    });
    if (sure) set({ status: 'completed' });
  };

  const askAboutAttendance = async (attended: boolean) => {
    const sure = await confirm({
      title: attended ? 'Undo this no-show?' : 'Mark this appointment as a no-show?',
      body: attended
        ? `${about} The appointment counts as completed again, with its fee.`
        : `${about} The appointment is closed without a fee. You can undo this.`,
      action: attended ? 'Undo no-show' : 'No-show',
    });
    if (sure) set({ status: 'completed', attended });
  };

  const askToReopen = async () => {
    const sure = await confirm({
      title: 'Reopen this appointment?',
      body: `${about} It is confirmed again until you complete it, and its fee leaves your earnings. The record stays as it is. We’ll notify ${appointment.patient.name}.`,
      action: 'Reopen',
    });
    if (sure) reopen.mutate();
  };

  if (undo && appointment.status === 'confirmed' && undo.until > Date.now()) {
    return (
      <UndoConfirmation
        appointment={appointment}
        until={undo.until}
        takesFocus={undo.isNew}
        onUndone={onDone}
        onOver={(hadFocus) => {
          flushSync(() => setUndo(null));
          if (hadFocus) (onUndoOver ?? onDone)();
        }}
      />
    );
  }

  const doing = change.isPending ? change.variables.status : null;
  const judging = change.isPending ? change.variables.attended : undefined;
  const cancel = appointmentCan.doctorCancel(appointment, config?.policies) && (
    <Button key="cancel" variant="danger" onClick={() => setCancelling(true)}>
      {isPending ? 'Decline' : 'Cancel appointment'}
      <Subject of={appointment} />
    </Button>
  );
  const acts = [
    appointmentCan.confirm(appointment) && (
      <Button
        key="confirm"
        data-shortcut="confirm"
        icon={<CheckIcon size={20} />}
        busy={doing === 'confirmed'}
        busyLabel="Confirming..."
        onClick={askToConfirm}
      >
        Confirm
        <Subject of={appointment} />
      </Button>
    ),
    !noComplete && !brief && appointmentCan.complete(appointment, now) && (
      <Button
        key="complete"
        variant="secondary"
        icon={<CheckIcon size={20} />}
        busy={doing === 'completed' && judging === undefined}
        busyLabel="Completing..."
        onClick={askToComplete}
      >
        Mark as completed
        <Subject of={appointment} />
      </Button>
    ),
    !brief && appointmentCan.setAttended(appointment, false, now) && (
      <Button
        key="absent"
        variant="secondary"
        busy={judging === false}
        busyLabel="Saving..."
        onClick={() => askAboutAttendance(false)}
      >
        No-show
        <Subject of={appointment} />
      </Button>
    ),
    !brief && appointmentCan.setAttended(appointment, true, now) && (
      <Button
        key="came"
        variant="secondary"
        busy={judging === true}
        busyLabel="Saving..."
        onClick={() => askAboutAttendance(true)}
      >
        Undo no-show
        <Subject of={appointment} />
      </Button>
    ),
    !brief && appointmentCan.reopen(appointment, now) && (
      <Button
        key="reopen"
        variant="secondary"
        busy={reopen.isPending}
        busyLabel="Reopening..."
        onClick={askToReopen}
      >
        Reopen
        <Subject of={appointment} />
      </Button>
    ),
    // Yes and no are beside each other.
    isPending && cancel,
    appointmentCan.doctorMove(appointment, now) && (!brief || isPending) && (
      <Button
        key="reschedule"
        variant={brief ? 'quiet' : 'secondary'}
        onClick={() => setRescheduling(true)}
      >
        Reschedule
        <Subject of={appointment} />
      </Button>
    ),
    !isPending && !brief && cancel,
  ].filter(Boolean);

  return (
    <>
      {acts.length > 0 && (
        <Inline align="stretch" className={styles.actions}>
          {acts}
        </Inline>
      )}
      {rescheduling && (
        <RescheduleDialog
          appointment={appointment}
          onDone={onDone}
          onClose={() => setRescheduling(false)}
        />
      )}
      {cancelling && (
        <ReasonDialog
          title={
            instant
              ? isPending
                ? 'Decline this request?'
                : 'Cancel this appointment?'
              : specQuestion('cancelled')
          }
          about={about}
          subject={subject}
          hint={`Visible to ${appointment.patient.name}.`}
          optional={isPending}
          action={isPending ? 'Decline' : 'Cancel appointment'}
          busyLabel={isPending ? 'Declining...' : 'Cancelling...'}
          fallback={FAILED}
          onSubmit={async (reason) => {
            await change.mutateAsync({ status: 'cancelled', reason });
            // The closing dialog gives focus back first, to a button that is gone by now.
            flushSync(() => setCancelling(false));
            onDone();
          }}
          onOutdated={() => void invalidateAppointments(client)}
          onClose={() => setCancelling(false)}
        />
      )}
    </>
  );
}

/** Say who had already done what was asked for, and that a reason typed now was not saved. */
function reportUnchanged({ appointment }: ChangedAppointment, sent: StatusChange, title: string) {
  const state =
    appointment.status === 'cancelled'
      ? statusText(appointment, 'doctor')
      : `This appointment was already ${appointment.status}.`;
  if (sent.reason) toast.error(state, { title, typed: sent.reason });
  else toast.success(`${title}: ${state}`);
}
