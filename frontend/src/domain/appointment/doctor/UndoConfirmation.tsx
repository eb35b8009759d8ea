import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { undoConfirmation } from '@/api/doctorDesk';
import { invalidateAppointments, setAppointment } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { isOutdated, reportFailedAction } from '@/domain/failedAction';
import { Button } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { toast } from '@/ui/toasts';
import styles from './actions.module.css';
import { describeAppointment, Subject } from './subject';

interface Props {
  appointment: Appointment;
  /** The deadline, in milliseconds since 1970. */
  expiresAt: number;
  /** Receives focus from the Confirm button. */
  focusOnMount: boolean;
  onUndo: () => void;
  /** Called when the undo has expired; with `hadFocus` the focus must move. */
  onExpire: (hadFocus: boolean) => void;
}

/** Report a confirmation and offer to undo it; nobody has been notified yet. */
export function UndoConfirmation({
  appointment,
  expiresAt,
  focusOnMount,
  onUndo,
  onExpire,
}: Props) {
  const { t } = useLingui();
  const client = useQueryClient();
  const patient = appointment.patient.name;
  const box = useRef<HTMLDivElement>(null);
  const sentence = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (focusOnMount) sentence.current?.focus();
  }, [focusOnMount]);
  const undo = useMutation({
    mutationFn: () => undoConfirmation(appointment._id),
    onSuccess: async ({ data }) => {
      toast.success(t`Confirmation undone`);
      // The queue lists the request again before its row changes, so the row keeps its place.
      await client.refetchQueries({ queryKey: ['workspace'], type: 'active' });
      void setAppointment(client, data.appointment);
      onUndo();
    },
    onError: (error) => {
      reportFailedAction(error, {
        fallback: t`We couldn’t undo the confirmation`,
        about: describeAppointment(appointment),
      });
      if (isOutdated(error)) void invalidateAppointments(client);
    },
  });
  useEffect(() => {
    const end = () => onExpire(box.current?.contains(document.activeElement) ?? false);
    const timer = setTimeout(end, expiresAt - Date.now());
    return () => clearTimeout(timer);
  }, [expiresAt, onExpire]);
  return (
    <Inline ref={box} rowGap={2} className={styles.undo}>
      <p ref={sentence} tabIndex={-1}>
        <Trans>Confirmed. We’ll notify {patient} in a few seconds.</Trans>
      </p>
      <Button
        variant="secondary"
        data-shortcut="undo"
        busy={undo.isPending}
        busyLabel={t`Undoing...`}
        onClick={() => undo.mutate()}
      >
        <Trans>Undo</Trans>
        <Subject appointment={appointment} />
      </Button>
    </Inline>
  );
}
