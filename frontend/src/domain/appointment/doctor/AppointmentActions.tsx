import { useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { invalidateAppointments } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { ReasonDialog } from '@/domain/appointment/ReasonDialog';
import { ActionButtons } from './ActionButtons';
import { RescheduleDialog } from './RescheduleDialog';
import { describeAppointment } from './subject';
import { UndoConfirmation } from './UndoConfirmation';
import { confirmOptions, UPDATE_FAILED, useAppointmentActions } from './useAppointmentActions';

interface Props {
  appointment: Appointment;
  /** Only the answers to a request, as in the dashboard. */
  isCompact?: boolean;
  /**
   * Confirm without a question, with an undo, and use our own wording for other questions: on the
   * dashboard and in the calendar. Elsewhere every change needs a confirmation, as the
   * specification requires.
   */
  instant?: boolean;
  /** The buttons disappear after the action, so move the focus. */
  onDone: () => void;
  /** The focus target once a confirmation can no longer be undone, if it differs. */
  onUndoExpired?: () => void;
  /** Complete is next to the record form, not here. */
  hideComplete?: boolean;
}

/** The actions that a doctor can take on an appointment now. */
export function AppointmentActions(props: Props) {
  const { appointment, isCompact, instant, onDone, onUndoExpired, hideComplete } = props;
  const [dialog, setDialog] = useState<'cancel' | 'reschedule' | null>(null);
  const actions = useAppointmentActions({ appointment, instant, onDone });
  const closeDialog = () => setDialog(null);

  if (actions.undo) {
    return (
      <UndoConfirmation
        appointment={appointment}
        expiresAt={actions.undo.until}
        focusOnMount={actions.undo.isNew}
        onUndo={onDone}
        onExpire={(hadFocus) => {
          flushSync(actions.endUndo);
          if (hadFocus) (onUndoExpired ?? onDone)();
        }}
      />
    );
  }
  return (
    <>
      <ActionButtons
        appointment={appointment}
        actions={actions}
        isCompact={isCompact}
        hideComplete={hideComplete}
        onCancel={() => setDialog('cancel')}
        onReschedule={() => setDialog('reschedule')}
      />
      {dialog === 'reschedule' && (
        <RescheduleDialog appointment={appointment} onDone={onDone} onClose={closeDialog} />
      )}
      {dialog === 'cancel' && (
        <CancelDialog
          appointment={appointment}
          question={instant ? undefined : confirmOptions('cancelled')}
          onSubmit={async (reason) => {
            await actions.cancel(reason);
            // The closing dialog first returns focus to a button that no longer exists.
            flushSync(closeDialog);
            onDone();
          }}
          onClose={closeDialog}
        />
      )}
    </>
  );
}

interface CancelDialogProps {
  appointment: Appointment;
  /** Replaces our own question. */
  question: string | undefined;
  onSubmit: (reason: string) => Promise<void>;
  onClose: () => void;
}

/** Decline a request or cancel a confirmed appointment, with a reason. */
function CancelDialog({ appointment, question, onSubmit, onClose }: CancelDialogProps) {
  const { t } = useLingui();
  const client = useQueryClient();
  const subject = describeAppointment(appointment);
  const patient = appointment.patient.name;
  const isPending = appointment.status === 'pending';
  return (
    <ReasonDialog
      title={question ?? (isPending ? t`Decline this request?` : t`Cancel this appointment?`)}
      about={subject}
      subject={subject}
      hint={t`Visible to ${patient}.`}
      optional={isPending}
      action={isPending ? t`Decline` : t`Cancel appointment`}
      busyLabel={isPending ? t`Declining...` : t`Cancelling...`}
      fallback={t(UPDATE_FAILED)}
      onSubmit={onSubmit}
      onOutdated={() => void invalidateAppointments(client)}
      onClose={onClose}
    />
  );
}
