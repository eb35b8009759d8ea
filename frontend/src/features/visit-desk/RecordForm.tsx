import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ApiError, hasCode, messageOf } from '@/api/errors';
import { forgetVisits, placeVisit } from '@/api/queries';
import { saveRecord, visitQuery } from '@/api/records';
import type { Appointment, RecordContent, VisitRecord } from '@/api/types';
import { followUpWhen } from '@/domain/record/record';
import { paths } from '@/lib/paths';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { confirm } from '@/ui/confirm';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { CheckIcon } from '@/ui/icons';
import { Textarea, TextInput } from '@/ui/inputs';
import { notify } from '@/ui/notices';
import { useForm } from '@/ui/useForm';
import { CompleteDialog } from './CompleteDialog';
import { KeepingLine } from './KeepingLine';
import type { Keeper } from './keeper';
import { Medicines } from './Medicines';
import { OtherVersion } from './OtherVersion';
import { useShortcuts } from './useShortcuts';
import styles from './visit.module.css';
import { check, draftOf, MOST_TEXT, onPage, recordOf, sameContent, typedOf } from './writing';

interface Props {
  visit: Appointment;
  record: VisitRecord;
  keeper: Keeper;
  /** The form goes with the act, so focus needs another place. */
  onDone: () => void;
}

/** How soon one usually comes back. */
const SPANS = [
  { days: 7, label: '1 week' },
  { days: 14, label: '2 weeks' },
  { days: 28, label: '4 weeks' },
];

/** Write the record: kept as a draft while one types, saved or completed with the visit at a press. */
export function RecordForm({ visit, record, keeper, onDone }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [completing, setCompleting] = useState<RecordContent | null>(null);
  const wanted = useRef<'save' | 'complete'>('save');
  const completed = visit.status === 'completed';

  const written = (saved: VisitRecord, appointment: Appointment) => {
    client.setQueryData(
      visitQuery(visit._id).queryKey,
      (file) => file && { ...file, record: saved, draft: null },
    );
    keeper.recorded(saved);
    void placeVisit(client, appointment);
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
        const { data, message } = await saveRecord(visit._id, {
          ...content,
          version: keeper.version,
        });
        written(data.record, data.appointment);
        notify.success(message || 'Record saved');
      } catch (error) {
        const current = currentOf(error);
        if (current && sameContent(current, content)) {
          // It was written by a try whose answer was lost.
          keeper.recorded(current);
          void forgetVisits(client);
          notify.success('Record saved');
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
        navigate(paths.doctorAppointment(visit._id), {
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
    complete: completed ? undefined : () => send('complete'),
  });

  const discard = async () => {
    const sure = await confirm({
      title: 'Throw this draft away?',
      body:
        record.version > 0
          ? 'What was typed since the record was saved is lost. The record stays as it is.'
          : 'What was typed is lost. Nothing has been saved to the record yet.',
      action: 'Throw away',
      dismiss: 'Keep writing',
      tone: 'danger',
    });
    if (!sure) return;
    try {
      await keeper.discard(record);
      client.setQueryData(
        visitQuery(visit._id).queryKey,
        (file) => file && { ...file, draft: null },
      );
      if (completed) navigate(paths.doctorAppointment(visit._id), { replace: true });
      onDone();
    } catch (error) {
      notify.error(messageOf(error, 'Failed to throw the draft away'));
    }
  };

  const days = Number(values.followUpDays);
  const date = visit.appointmentDate;
  const textarea = { optional: 'unmarked', maxLength: MOST_TEXT } as const;

  return (
    <>
      <ErrorSummary form={form} />
      <OtherVersion keeper={keeper} visit={visit} />
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
          <h2 id="record">{record.version > 0 ? 'Change the record' : 'Write the record'}</h2>
          <Textarea {...form.field('diagnosis')} {...textarea} label="Diagnosis" rows={3} />
          <Textarea
            {...form.field('notes')}
            {...textarea}
            label="Notes"
            hint="The patient reads them, too."
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
                  : 'Counted from the visit; empty when none is needed.'
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
          <KeepingLine keeper={keeper} timeZone={visit.timeZone} onDiscard={discard} />
          <div className={styles.footActs}>
            <Button
              type="submit"
              variant={completed ? 'primary' : 'secondary'}
              busy={form.busy && wanted.current === 'save'}
              busyLabel="Saving..."
              aria-keyshortcuts="Control+S Meta+S"
            >
              Save record
            </Button>
            {!completed && (
              <Button
                icon={<CheckIcon size={20} />}
                onClick={() => send('complete')}
                aria-keyshortcuts="Control+Enter Meta+Enter"
              >
                Complete visit
              </Button>
            )}
          </div>
        </div>
        <p className={styles.keys}>
          <kbd>Ctrl</kbd> + <kbd>S</kbd> saves
          {!completed && (
            <>
              , <kbd>Ctrl</kbd> + <kbd>Enter</kbd> completes
            </>
          )}
          . In a medicine, <kbd>Enter</kbd> adds the next one.
        </p>
      </form>
      {completing && (
        <CompleteDialog
          visit={visit}
          content={completing}
          keeper={keeper}
          onCompleted={written}
          onDone={onDone}
          onClose={() => setCompleting(null)}
        />
      )}
    </>
  );
}

/** The record as it is now, in the refusal of one that changed meanwhile. */
export function currentOf(error: unknown): VisitRecord | null {
  return hasCode(error, 'record_changed') ? ((error.data.record as VisitRecord) ?? null) : null;
}
