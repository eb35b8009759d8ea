import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { configQuery } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { appointmentCan } from '@/domain/appointment/allowedActions';
import { Button } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { CheckIcon } from '@/ui/icons';
import { useNow } from '@/ui/useNow';
import styles from './actions.module.css';
import { Subject } from './subject';
import type { DoctorActions } from './useAppointmentActions';

interface Props {
  appointment: Appointment;
  actions: DoctorActions;
  /** Only the answers to a request, as in the dashboard. */
  isCompact?: boolean;
  /** Complete is next to the record form, not here. */
  hideComplete?: boolean;
  onCancel: () => void;
  onReschedule: () => void;
}

/** A button for each allowed action. */
export function ActionButtons(props: Props) {
  const { t } = useLingui();
  const { appointment, actions, isCompact, hideComplete, onCancel, onReschedule } = props;
  const { data: config } = useQuery(configQuery);
  const now = useNow();
  const isPending = appointment.status === 'pending';
  const { status: nextStatus, attended } = actions.pending ?? {};

  const cancel = appointmentCan.doctorCancel(appointment, config?.policies) && (
    <Button key="cancel" variant="danger" onClick={onCancel}>
      {isPending ? t`Decline` : t`Cancel appointment`}
      <Subject appointment={appointment} />
    </Button>
  );
  const buttons = [
    appointmentCan.confirm(appointment) && (
      <Button
        key="confirm"
        data-shortcut="confirm"
        icon={<CheckIcon size={20} />}
        busy={nextStatus === 'confirmed'}
        busyLabel={t`Confirming...`}
        onClick={actions.askToConfirm}
      >
        <Trans>Confirm</Trans>
        <Subject appointment={appointment} />
      </Button>
    ),
    !hideComplete && !isCompact && appointmentCan.complete(appointment, now) && (
      <Button
        key="complete"
        variant="secondary"
        icon={<CheckIcon size={20} />}
        busy={nextStatus === 'completed' && attended === undefined}
        busyLabel={t`Completing...`}
        onClick={actions.askToComplete}
      >
        <Trans>Mark as completed</Trans>
        <Subject appointment={appointment} />
      </Button>
    ),
    !isCompact && appointmentCan.setAttendance(appointment, false, now) && (
      <Button
        key="absent"
        variant="secondary"
        busy={attended === false}
        busyLabel={t`Saving...`}
        onClick={() => actions.askAboutAttendance(false)}
      >
        <Trans context="mark an appointment">No-show</Trans>
        <Subject appointment={appointment} />
      </Button>
    ),
    !isCompact && appointmentCan.setAttendance(appointment, true, now) && (
      <Button
        key="came"
        variant="secondary"
        busy={attended === true}
        busyLabel={t`Saving...`}
        onClick={() => actions.askAboutAttendance(true)}
      >
        <Trans>Undo no-show</Trans>
        <Subject appointment={appointment} />
      </Button>
    ),
    !isCompact && appointmentCan.reopen(appointment, now) && (
      <Button
        key="reopen"
        variant="secondary"
        busy={actions.isReopening}
        busyLabel={t`Reopening...`}
        onClick={actions.askToReopen}
      >
        <Trans>Reopen</Trans>
        <Subject appointment={appointment} />
      </Button>
    ),
    // Keep accepting and declining together.
    isPending && cancel,
    appointmentCan.doctorMove(appointment, now) && (!isCompact || isPending) && (
      <Button key="reschedule" variant={isCompact ? 'quiet' : 'secondary'} onClick={onReschedule}>
        <Trans>Reschedule</Trans>
        <Subject appointment={appointment} />
      </Button>
    ),
    !isPending && !isCompact && cancel,
  ].filter(Boolean);

  if (buttons.length === 0) return null;
  return (
    <Inline align="stretch" className={styles.actions}>
      {buttons}
    </Inline>
  );
}
