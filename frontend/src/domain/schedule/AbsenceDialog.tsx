import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ApiError, hasCode, messageOf } from '@/api/errors';
import { type AbsenceBody, removeAbsence, saveAbsence } from '@/api/schedule';
import type { Absence, AffectedAppointment, Decision } from '@/api/types';
import { addDays, isDate, today as todayIn, zoneLabel } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { Checkbox } from '@/ui/Checkbox';
import { Dialog } from '@/ui/Dialog';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Grid } from '@/ui/Grid';
import { Stack } from '@/ui/Stack';
import { TextInput } from '@/ui/TextInput';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';
import { AffectedAppointments } from './AffectedAppointments';
import { absenceText, checkAbsence, momentsOf } from './absence';
import { outcomeOf } from './affectedChoices';
import { tidyTime } from './hours';
import { invalidateSchedule } from './invalidateSchedule';
import { REASON_VISIBILITY } from './reasonVisibility';
import styles from './schedule.module.css';
import { TIME_INPUT } from './timeInput';

interface Props {
  /** What is changed; without it time off is added. */
  absence?: Absence;
  timeZone: string;
  /** The first day of a new one; tomorrow unless it is given. */
  date?: string;
  onClose: () => void;
}

const FAILED = 'Failed to save the time off';

/** The server's names of the fields are not the form's. */
function withFieldNames(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error;
  const { status, code, data, message } = error;
  const names: Record<string, string> = {
    from: 'fromDate',
    'from.date': 'fromDate',
    'from.time': 'fromTime',
    'to.date': 'toDate',
    'to.time': 'toTime',
  };
  const errors = Object.fromEntries(
    Object.entries(error.errors).map(([name, sentences]) => [names[name] ?? name, sentences]),
  );
  return new ApiError(status, { code, data, message, errors });
}

/** Take time off from one date and time to another, with a decision about everything inside. */
export function AbsenceDialog({ absence, timeZone, date, onClose }: Props) {
  const client = useQueryClient();
  const formId = useId();
  const today = todayIn(timeZone);
  const first = date ?? addDays(today, 1);
  const [affected, setAffected] = useState<AffectedAppointment[] | null>(null);

  const send = (body: AbsenceBody, preview = false) =>
    saveAbsence(absence?._id, body, preview).catch((error) => {
      throw withFieldNames(error);
    });
  const save = async (appointments: Record<string, Decision> = {}, reason = '') => {
    const body: AbsenceBody = { ...momentsOf(form.values), reason: form.values.reason.trim() };
    await send({ ...body, visits: appointments, visitsReason: reason });
    toast.success(`Time off saved.${outcomeOf(appointments)}`);
    onClose();
    invalidateSchedule(client);
  };

  const form = useForm({
    values: {
      wholeDays: !absence || (absence.from.time === '00:00' && absence.to.time === '24:00'),
      fromDate: absence?.from.date ?? first,
      fromTime: absence?.from.time ?? '09:00',
      toDate: absence?.to.date ?? first,
      toTime: absence?.to.time ?? '17:00',
      reason: absence?.reason ?? '',
    },
    validate: (values) => checkAbsence(values),
    submit: async (values) => {
      const body: AbsenceBody = { ...momentsOf(values), reason: values.reason.trim() };
      const preview = await send(body, true);
      if (preview.affected.length > 0) {
        setAffected(preview.affected);
        return;
      }
      try {
        await save();
      } catch (error) {
        // Somebody booked between the two calls.
        if (!hasCode(error, 'visits_affected')) throw error;
        setAffected((error.data.affected ?? []) as AffectedAppointment[]);
      }
    },
    message: (error) => messageOf(error, FAILED),
  });
  const { values } = form;

  const remove = async () => {
    if (!absence) return;
    try {
      await removeAbsence(absence._id);
      toast.success('Time off removed. Patients can book these times again.');
      onClose();
    } catch (error) {
      toast.error(messageOf(error, 'Failed to remove the time off'));
    }
    invalidateSchedule(client);
  };

  if (affected) {
    const count = affected.length;
    return (
      <Dialog title="Appointments during your time off" onClose={onClose}>
        <AffectedAppointments
          affected={affected}
          timeZone={timeZone}
          heading="h3"
          action="Save time off"
          busyLabel="Saving..."
          back="Back"
          fallback={FAILED}
          onSave={save}
          onBack={() => setAffected(null)}
          onRefused={(error) => {
            setAffected(null);
            toast.error(messageOf(error, FAILED));
          }}
        >
          <p>
            {count === 1 ? '1 appointment falls' : `${count} appointments fall`} into{' '}
            {absenceText(momentsOf(values))}. Nothing is saved yet. Decide what happens to{' '}
            {count === 1 ? 'it' : 'each'}.
          </p>
        </AffectedAppointments>
      </Dialog>
    );
  }

  const time = (name: 'fromTime' | 'toTime') => {
    const field = form.field(name);
    return { ...TIME_INPUT, ...field, onBlur: () => field.onChange(tidyTime(field.value)) };
  };
  return (
    <Dialog
      title={absence ? 'Change time off' : 'Add time off'}
      onClose={onClose}
      actions={
        <>
          <Button type="submit" form={formId} busy={form.busy} busyLabel="Saving...">
            Save time off
          </Button>
          {absence && (
            <Button variant="danger" onClick={remove}>
              Remove time off
            </Button>
          )}
          <Button variant="secondary" onClick={onClose}>
            Go back
          </Button>
        </>
      }
    >
      <ErrorSummary form={form} />
      <Stack id={formId} as="form" noValidate onSubmit={form.onSubmit}>
        <Checkbox {...form.field('wholeDays')} label="Whole days" optional="unmarked" />
        <Grid rowGap={3} className={styles.moment}>
          <TextInput
            {...form.field('fromDate')}
            label="First day"
            type="date"
            min={absence ? undefined : today}
            onChange={(day) =>
              form.setAll({
                fromDate: day,
                // The end goes along while it would be before the start.
                ...(isDate(day) && values.toDate < day ? { toDate: day } : {}),
              })
            }
          />
          {!values.wholeDays && <TextInput {...time('fromTime')} label="From" />}
        </Grid>
        <Grid rowGap={3} className={styles.moment}>
          <TextInput
            {...form.field('toDate')}
            label="Last day"
            type="date"
            min={values.fromDate || today}
          />
          {!values.wholeDays && <TextInput {...time('toTime')} label="Until" />}
        </Grid>
        <p className="muted small">All times are {zoneLabel(timeZone)}.</p>
        <TextInput
          {...form.field('reason')}
          label="Reason"
          hint={REASON_VISIBILITY}
          optional
          maxLength={200}
        />
      </Stack>
    </Dialog>
  );
}
