import { Trans, useLingui } from '@lingui/react/macro';
import type { Appointment, AppointmentRecord } from '@/api/types';
import { appointmentCan } from '@/domain/appointment/allowedActions';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { CheckIcon } from '@/ui/icons';
import { useNow } from '@/ui/useNow';
import { AutosaveStatus } from './AutosaveStatus';
import styles from './appointment.module.css';
import { CompleteDialog } from './CompleteDialog';
import { ConflictBanner } from './ConflictBanner';
import type { DraftAutosave } from './draftAutosave';
import { RecordFields } from './RecordFields';
import { useRecordForm } from './useRecordForm';
import { useShortcuts } from './useShortcuts';

interface Props {
  appointment: Appointment;
  record: AppointmentRecord;
  autosave: DraftAutosave;
  /** The form disappears after the action, so move the focus. */
  onDone: () => void;
}

/**
 * Write the record: a draft is saved automatically; buttons save the record or complete the
 * appointment.
 */
export function RecordForm({ appointment, record, autosave, onDone }: Props) {
  const { t } = useLingui();
  const canComplete = appointmentCan.complete(appointment, useNow());
  const { form, isSaving, submit, discardDraft, applySaved, completingRecord, cancelCompletion } =
    useRecordForm({ appointment, record, autosave, onDone });
  useShortcuts({
    save: () => submit('save'),
    complete: canComplete ? () => submit('complete') : undefined,
  });

  return (
    <>
      <ErrorSummary form={form} />
      <ConflictBanner autosave={autosave} appointment={appointment} />
      <form
        className={styles.form}
        noValidate
        aria-labelledby="record"
        onSubmit={(event) => {
          event.preventDefault();
          submit('save');
        }}
      >
        <Card className={styles.fields}>
          <h2 id="record">{record.version > 0 ? t`Edit record` : t`Appointment record`}</h2>
          <RecordFields form={form} date={appointment.appointmentDate} />
        </Card>
        <div className={styles.footer}>
          <AutosaveStatus
            autosave={autosave}
            timeZone={appointment.timeZone}
            onDiscard={discardDraft}
          />
          <div className={styles.footerActions}>
            <Button
              type="submit"
              variant={canComplete ? 'secondary' : 'primary'}
              busy={isSaving}
              busyLabel={t`Saving...`}
              aria-keyshortcuts="Control+S Meta+S"
            >
              <Trans>Save record</Trans>
            </Button>
            {canComplete && (
              <Button
                icon={<CheckIcon size={20} />}
                onClick={() => submit('complete')}
                aria-keyshortcuts="Control+Enter Meta+Enter"
              >
                <Trans>Complete appointment</Trans>
              </Button>
            )}
          </div>
        </div>
        <p className={styles.shortcuts}>
          {canComplete ? (
            <Trans>
              <kbd>Ctrl</kbd> + <kbd>S</kbd> saves, <kbd>Ctrl</kbd> + <kbd>Enter</kbd> completes. In
              a medicine, <kbd>Enter</kbd> adds the next one.
            </Trans>
          ) : (
            <Trans>
              <kbd>Ctrl</kbd> + <kbd>S</kbd> saves. In a medicine, <kbd>Enter</kbd> adds the next
              one.
            </Trans>
          )}
        </p>
      </form>
      {completingRecord && (
        <CompleteDialog
          appointment={appointment}
          content={completingRecord}
          autosave={autosave}
          onCompleted={applySaved}
          onDone={onDone}
          onClose={cancelCompletion}
        />
      )}
    </>
  );
}
