import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ApiError, messageOf } from '@/api/errors';
import { invalidateAppointments, setAppointment } from '@/api/queries';
import { appointmentFileQuery, saveRecord } from '@/api/records';
import type { Appointment, AppointmentRecord, RecordContent } from '@/api/types';
import { appointmentCan } from '@/domain/appointment/allowedActions';
import { followUpWhen } from '@/domain/record/record';
import { paths } from '@/lib/paths';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { confirm } from '@/ui/confirm';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { CheckIcon } from '@/ui/icons';
import { Textarea } from '@/ui/Textarea';
import { TextInput } from '@/ui/TextInput';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';
import { useNow } from '@/ui/useNow';
import { AutosaveStatus } from './AutosaveStatus';
import styles from './appointment.module.css';
import { CompleteDialog } from './CompleteDialog';
import { ConflictBanner } from './ConflictBanner';
import type { DraftAutosave } from './draftAutosave';
import { Medicines } from './Medicines';
import {
  check,
  currentRecordIn,
  draftOf,
  MOST_TEXT,
  onPage,
  recordOf,
  sameContent,
  typedOf,
} from './recordFields';
import { useShortcuts } from './useShortcuts';

interface Props {
  appointment: Appointment;
  record: AppointmentRecord;
  keeper: DraftAutosave;
  /** The form goes with the act, so focus needs another place. */
  onDone: () => void;
}

/** How soon one usually comes back. */
const SPANS = [
  { days: 7, label: '1 week' },
  { days: 14, label: '2 weeks' },
  { days: 28, label: '4 weeks' },
];

/** Write the record: kept as a draft while one types, saved or completed with the appointment at a press. */
export function RecordForm({ appointment, record, keeper, onDone }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [completing, setCompleting] = useState<RecordContent | null>(null);
  const wanted = useRef<'save' | 'complete'>('save');
  const completed = appointment.status === 'completed';
  const canComplete = appointmentCan.complete(appointment, useNow());

  const onSaved = (saved: AppointmentRecord, changed: Appointment) => {
    client.setQueryData(
      appointmentFileQuery(appointment._id).queryKey,
      (file) => file && { ...file, record: saved, draft: null },
    );
    keeper.recorded(saved);
    void setAppointment(client, changed);
  };

  const form = useForm({
    values: typedOf(keeper.text),
    validate: check,
    submit: async (typed) => {
      const content = recordOf(typed);
      if (wanted.current === 'complete') {
        setCompleting(content);
        return;
      }
      await keeper.hold();
      try {
        const { data, message } = await saveRecord(appointment._id, {
          ...content,
          version: keeper.version,
        });
        onSaved(data.record, data.appointment);
        toast.success(message || 'Record saved');
      } catch (error) {
        const current = currentRecordIn(error);
        if (current && sameContent(current, content)) {
          // It was written by a try whose answer was lost.
          keeper.recorded(current);
          void invalidateAppointments(client);
          toast.success('Record saved');
        } else if (current) {
          keeper.recordChanged(current);
          return;
        } else {
          keeper.release();
          if (error instanceof ApiError) {
            const { status, code, message, errors, data } = error;
            throw new ApiError(status, { code, message, data, errors: onPage(errors, typed) });
          }
          throw error;
        }
      }
      if (completed) {
        navigate(paths.doctorAppointment(appointment._id), {
          replace: true,
          state: { keepScroll: true },
        });
        onDone();
      }
    },
    message: (error) => messageOf(error, 'Failed to save the record'),
  });

  const { values } = form;
  useEffect(() => keeper.type(draftOf(values)), [keeper, values]);

  const send = (what: 'save' | 'complete') => {
    wanted.current = what;
    form.onSubmit();
  };
  useShortcuts({
    save: () => send('save'),
    complete: canComplete ? () => send('complete') : undefined,
  });

  const discard = async () => {
    const sure = await confirm({
      title: 'Discard this draft?',
      body:
        record.version > 0
          ? 'What was typed since the record was saved is lost. The record stays as it is.'
          : 'What was typed is lost. Nothing has been saved to the record yet.',
      action: 'Discard draft',
      dismiss: 'Keep writing',
      tone: 'danger',
    });
    if (!sure) return;
    try {
      await keeper.discard(record);
      client.setQueryData(
        appointmentFileQuery(appointment._id).queryKey,
        (file) => file && { ...file, draft: null },
      );
      if (completed) navigate(paths.doctorAppointment(appointment._id), { replace: true });
      onDone();
    } catch (error) {
      toast.error(messageOf(error, 'Failed to discard the draft'));
    }
  };

  const days = Number(values.followUpDays);
  const date = appointment.appointmentDate;
  const textarea = { optional: 'unmarked', maxLength: MOST_TEXT } as const;

  return (
    <>
      <ErrorSummary form={form} />
      <ConflictBanner keeper={keeper} appointment={appointment} />
      <form
        className={styles.form}
        noValidate
        aria-labelledby="record"
        onSubmit={(event) => {
          event.preventDefault();
          send('save');
        }}
      >
        <Card className={styles.fields}>
          <h2 id="record">{record.version > 0 ? 'Edit record' : 'Appointment record'}</h2>
          <Textarea {...form.field('diagnosis')} {...textarea} label="Diagnosis" rows={3} />
          <Textarea
            {...form.field('notes')}
            {...textarea}
            label="Notes"
            hint="Visible to the patient."
            rows={5}
          />
          <Medicines form={form} />
          <Textarea
            {...form.field('prescription.notes')}
            {...textarea}
            label="Notes on the prescription"
            rows={2}
          />
          <div>
            <TextInput
              {...form.field('followUpDays')}
              label="Follow-up in days"
              hint={
                Number.isInteger(days) && days > 0 && days <= 730
                  ? `Come back ${followUpWhen(days, date)}.`
                  : 'Counted from the appointment. Leave empty if none is needed.'
              }
              optional="unmarked"
              inputMode="numeric"
              autoComplete="off"
              maxLength={3}
              short
            />
            <div className={styles.spans}>
              {SPANS.map((span) => (
                <Button
                  key={span.days}
                  variant="quiet"
                  aria-pressed={days === span.days}
                  onClick={() => form.set('followUpDays', String(span.days))}
                >
                  {span.label}
                </Button>
              ))}
            </div>
          </div>
        </Card>
        <div className={styles.foot}>
          <AutosaveStatus keeper={keeper} timeZone={appointment.timeZone} onDiscard={discard} />
          <div className={styles.footActs}>
            <Button
              type="submit"
              variant={canComplete ? 'secondary' : 'primary'}
              busy={form.busy && wanted.current === 'save'}
              busyLabel="Saving..."
              aria-keyshortcuts="Control+S Meta+S"
            >
              Save record
            </Button>
            {canComplete && (
              <Button
                icon={<CheckIcon size={20} />}
                onClick={() => send('complete')}
                aria-keyshortcuts="Control+Enter Meta+Enter"
              >
                Complete appointment
              </Button>
            )}
          </div>
        </div>
        <p className={styles.keys}>
          <kbd>Ctrl</kbd> + <kbd>S</kbd> saves
          {canComplete && (
            <>
              , <kbd>Ctrl</kbd> + <kbd>Enter</kbd> completes
            </>
          )}
          . In a medicine, <kbd>Enter</kbd> adds the next one.
        </p>
      </form>
      {completing && (
        <CompleteDialog
          appointment={appointment}
          content={completing}
          keeper={keeper}
          onCompleted={onSaved}
          onDone={onDone}
          onClose={() => setCompleting(null)}
        />
      )}
    </>
  );
}
