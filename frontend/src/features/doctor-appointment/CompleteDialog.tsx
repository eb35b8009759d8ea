import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { messageOf } from '@/api/errors';
import { invalidateAppointments } from '@/api/queries';
import { completeAppointment } from '@/api/records';
import type { Appointment, AppointmentRecord, PrescribedItem, RecordContent } from '@/api/types';
import { describeAppointment } from '@/domain/appointment/doctor/subject';
import { isFuture } from '@/domain/appointment/statusText';
import { isOutdated, reportFailedAction } from '@/domain/failedAction';
import { dosageText, followUpText } from '@/domain/record/record';
import { formatMoney } from '@/lib/money';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Stack } from '@/ui/Stack';
import { toast } from '@/ui/toasts';
import styles from './appointment.module.css';
import type { DraftAutosave } from './draftAutosave';
import { getCurrentRecord, hasSameContent } from './recordFields';

interface Props {
  appointment: Appointment;
  content: RecordContent;
  autosave: DraftAutosave;
  onCompleted: (record: AppointmentRecord, appointment: Appointment) => void;
  /** The form disappears after the action, so move the focus. */
  onDone: () => void;
  onClose: () => void;
}

/** Confirm completing an appointment, with a summary of the record. */
export function CompleteDialog({
  appointment,
  content,
  autosave,
  onCompleted,
  onDone,
  onClose,
}: Props) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const { items, notes } = content.prescription;
  const subject = describeAppointment(appointment);

  const medicineText = (item: PrescribedItem) => {
    const { medicine } = item;
    const dosage = dosageText(item);
    return dosage ? t`${medicine}: ${dosage}` : medicine;
  };

  const send = async () => {
    const { data } = await completeAppointment(appointment._id, {
      attended: true,
      visit: { ...content, version: autosave.version },
    });
    const { version, writtenAt } = data.appointment.record;
    onCompleted({ ...content, version, writtenAt }, data.appointment);
    toast.success(t`Appointment marked as completed successfully!`);
    // The closing dialog first returns focus to a button that no longer exists.
    flushSync(onClose);
    onDone();
  };

  const complete = async () => {
    setBusy(true);
    setProblem('');
    await autosave.hold();
    try {
      await send();
    } catch (error) {
      const current = getCurrentRecord(error);
      if (current) {
        onClose();
        autosave.onRecordConflict(current);
        // An earlier attempt succeeded but its response was lost: continue as usual.
        if (hasSameContent(current, content)) autosave.keepMine();
        void invalidateAppointments(client);
        return;
      }
      autosave.release();
      if (isOutdated(error)) {
        // The refetched page may have no form, so the text is kept above it.
        reportFailedAction(error, {
          fallback: t(FAILED),
          about: subject,
          typedText: recordAsText(content),
        });
        onClose();
        void invalidateAppointments(client);
        return;
      }
      setProblem(messageOf(error, t(FAILED)));
      setBusy(false);
    }
  };

  return (
    <Dialog
      title={t`Are you sure you want to mark this appointment as completed?`}
      onClose={onClose}
      actions={
        <>
          <Button busy={busy} busyLabel={t`Completing...`} onClick={complete}>
            <Trans>Complete appointment</Trans>
          </Button>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Go back</Trans>
          </Button>
        </>
      }
    >
      {problem && (
        <div role="alert">
          <Banner tone="error">{problem}</Banner>
        </div>
      )}
      <p>
        <Trans>{subject}. The record is visible to the patient.</Trans>
      </p>
      {isFuture(appointment) && (
        <Banner tone="warning">
          <Trans>This appointment hasn’t started yet.</Trans>
        </Banner>
      )}
      <Stack as="dl" gap={3} className={styles.facts}>
        <div>
          <dt>
            <Trans>Diagnosis</Trans>
          </dt>
          <dd>{content.diagnosis || <NotEntered />}</dd>
        </div>
        <div>
          <dt>
            <Trans>Medicines</Trans>
          </dt>
          <dd>
            {items.length === 0 ? notes || <NotEntered /> : items.map(medicineText).join('\n')}
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Follow-up</Trans>
          </dt>
          <dd>
            {content.followUpDays === null ? (
              <NotEntered />
            ) : (
              followUpText(content.followUpDays, appointment.appointmentDate)
            )}
          </dd>
        </div>
        <div>
          <dt>
            <Trans>Fee</Trans>
          </dt>
          <dd>{formatMoney(appointment.consultationFee, appointment.currency)}</dd>
        </div>
      </Stack>
    </Dialog>
  );
}

function NotEntered() {
  return (
    <span className="muted">
      <Trans>None</Trans>
    </span>
  );
}

const FAILED = msg`Failed to update appointment status`;

/** The typed record as plain text, for copying. */
function recordAsText({ diagnosis, notes, prescription }: RecordContent): string {
  const medicines = prescription.items.map((item) => `${item.medicine} ${dosageText(item)}`.trim());
  return [diagnosis, notes, ...medicines, prescription.notes].filter(Boolean).join('\n');
}
