import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { calendarQuery, patientsQuery } from '@/api/doctorDesk';
import { hasCode, messageOf } from '@/api/errors';
import { type BlockBody, blockTime } from '@/api/schedule';
import type { AffectedAppointment, Calendar } from '@/api/types';
import { AffectedAppointments } from '@/domain/schedule/AffectedAppointments';
import { outcomeOf } from '@/domain/schedule/affectedChoices';
import { clock, minuteOf, tidyTime } from '@/domain/schedule/hours';
import { invalidateSchedule } from '@/domain/schedule/invalidateSchedule';
import { REASON_VISIBILITY } from '@/domain/schedule/reasonVisibility';
import { TIME_INPUT } from '@/domain/schedule/timeInput';
import { formatDay, isDate, zoneLabel } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Avatar } from '@/ui/Avatar';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Link } from '@/ui/Link';
import { RadioGroup } from '@/ui/RadioGroup';
import { Select } from '@/ui/Select';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { TextInput } from '@/ui/TextInput';
import { toast } from '@/ui/toasts';
import { useDebouncedParam } from '@/ui/useDebouncedParam';
import { useForm } from '@/ui/useForm';
import styles from './calendar.module.css';
import { freeStarts, inTheWay } from './layout';

interface Props {
  first: { what: 'block' | 'book'; date: string; start: number; end: number };
  calendar: Calendar;
  now: number;
  onClose: () => void;
}

interface Values {
  what: 'block' | 'book';
  date: string;
  start: string;
  end: string;
  reason: string;
}

const FAILED = 'Failed to block the time';
const OTHER = 'other';

function check({ what, date, start, end }: Values): Record<string, string> {
  const errors: Record<string, string> = {};
  const [from, until] = [minuteOf(start), minuteOf(end)];
  if (!isDate(date)) errors.date = 'Enter a date.';
  if (from === null || from >= 24 * 60) errors.start = 'Enter a start, like 09:00.';
  if (what === 'book') return errors;
  if (until === null) errors.end = 'Enter an end, like 17:00.';
  else if (from !== null && until <= from) errors.end = 'The end must be after the start.';
  return errors;
}

/** A stretch of time: block it, or book one of the free times in it for a patient. */
export function TimeDialog({ first, calendar, now, onClose }: Props) {
  const client = useQueryClient();
  const formId = useId();
  const [affected, setAffected] = useState<AffectedAppointment[] | null>(null);
  // Another start than patients are offered, which only a doctor who types it gets.
  const [typing, setTyping] = useState(false);

  const block = async (values: Values, decided: Pick<BlockBody, 'visits' | 'visitsReason'>) => {
    const { date, start, end } = values;
    await blockTime({ date, start, end, reason: values.reason.trim(), ...decided });
    toast.success(`Time blocked.${outcomeOf(decided.visits ?? {})}`);
    onClose();
    invalidateSchedule(client);
  };

  const form = useForm<Values>({
    values: {
      what: first.what,
      date: first.date,
      start: clock(first.start),
      end: clock(first.end),
      reason: '',
    },
    validate: check,
    submit: async (values) => {
      try {
        await block(values, {});
      } catch (error) {
        if (!hasCode(error, 'visits_affected')) throw error;
        setAffected((error.data.affected ?? []) as AffectedAppointment[]);
      }
    },
    message: (error) => messageOf(error, FAILED),
  });
  const { values } = form;
  // The days that are shown are known; another date is looked up.
  const shown = calendar.days.some(({ date }) => date === values.date);
  const other = useQuery({
    ...calendarQuery(values.date, 1),
    enabled: values.what === 'book' && !shown && isDate(values.date),
  });
  const known = shown ? calendar : other.data;
  const day = known?.days.find(({ date }) => date === values.date);
  const free = known && day ? freeStarts(known, day, now) : [];
  const isOther = typing || !free.some((start) => clock(start) === values.start);
  const time = (name: 'start' | 'end') => {
    const field = form.field(name);
    return { ...TIME_INPUT, ...field, onBlur: () => field.onChange(tidyTime(field.value)) };
  };
  const span = `${values.start} to ${values.end}, ${isDate(values.date) ? formatDay(values.date) : ''}`;

  if (affected) {
    const count = affected.length;
    return (
      <Dialog title="Appointments during this time" onClose={onClose}>
        <AffectedAppointments
          affected={affected}
          timeZone={calendar.timeZone}
          heading="h3"
          action="Block this time"
          busyLabel="Blocking..."
          back="Go back"
          fallback={FAILED}
          onSave={(appointments, reason) =>
            block(values, { visits: appointments, visitsReason: reason })
          }
          onBack={() => setAffected(null)}
          onRefused={(error) => {
            setAffected(null);
            toast.error(messageOf(error, FAILED));
          }}
        >
          <p>
            {count === 1 ? '1 appointment falls' : `${count} appointments fall`} into {span}.
            Nothing is saved yet. Decide what happens to {count === 1 ? 'it' : 'each'}.
          </p>
        </AffectedAppointments>
      </Dialog>
    );
  }

  return (
    <Dialog
      title={values.what === 'block' ? 'Block this time' : 'Book for a patient'}
      onClose={onClose}
      actions={
        values.what === 'block' && (
          <>
            <Button type="submit" form={formId} busy={form.busy} busyLabel="Blocking...">
              Block this time
            </Button>
            <Button variant="secondary" onClick={onClose}>
              Go back
            </Button>
          </>
        )
      }
    >
      <ErrorSummary form={form} />
      <Stack id={formId} as="form" noValidate onSubmit={form.onSubmit}>
        <RadioGroup
          name="what"
          label={<span className="visually-hidden">What to do with this time</span>}
          value={values.what}
          onChange={(what) => form.set('what', what as Values['what'])}
          options={[
            { value: 'book', label: 'Book for a patient' },
            { value: 'block', label: 'Block this time' },
          ]}
        />
        <div className={styles.times}>
          <TextInput {...form.field('date')} label="Date" type="date" min={calendar.today} />
          {values.what === 'book' && (
            <Select
              name="free"
              label="Time"
              value={isOther ? OTHER : values.start}
              onChange={(chosen) => {
                setTyping(chosen === OTHER);
                if (chosen !== OTHER) form.set('start', chosen);
              }}
              options={[
                ...free.map((start) => clock(start)),
                {
                  value: OTHER,
                  label: free.length > 0 ? 'Another time…' : 'No free times: type one',
                },
              ]}
            />
          )}
          {(values.what === 'block' || isOther) && (
            <TextInput {...time('start')} label={values.what === 'block' ? 'From' : 'Start'} />
          )}
          {values.what === 'block' && <TextInput {...time('end')} label="Until" />}
        </div>
        <p className="muted small">{zoneLabel(calendar.timeZone)}, on the clinic’s clock.</p>
        {values.what === 'block' && (
          <TextInput
            {...form.field('reason')}
            label="Reason"
            hint={REASON_VISIBILITY}
            optional
            maxLength={200}
          />
        )}
      </Stack>
      {values.what === 'book' && (
        <ChoosePatient values={values} calendar={known ?? calendar} now={now} />
      )}
    </Dialog>
  );
}

const FEW = 6;

/** The doctor's own patients, each a way to the booking with the time filled in. */
function ChoosePatient({
  values,
  calendar,
  now,
}: {
  values: Values;
  calendar: Calendar;
  now: number;
}) {
  const [search, setSearch] = useState<string | undefined>();
  const [typed, setTyped] = useDebouncedParam(search, setSearch);
  const { data, isError } = useQuery(patientsQuery({ search, pageSize: FEW }));
  const start = minuteOf(tidyTime(values.start));
  const obstacle =
    start !== null && isDate(values.date) ? inTheWay(calendar, values.date, start, now) : null;
  return (
    <Stack>
      {obstacle && (
        <Banner tone="warning">
          <p>{obstacle}</p>
        </Banner>
      )}
      <TextInput
        name="patient"
        label="Patient’s name or e-mail"
        hint="People who have had an appointment with you."
        optional="unmarked"
        type="search"
        autoComplete="off"
        maxLength={100}
        value={typed}
        onChange={setTyped}
      />
      {data ? (
        data.patients.length > 0 ? (
          <ul className={styles.patients} aria-label="Patients">
            {data.patients.map((patient) => (
              <li key={patient._id}>
                <Link
                  href={paths.doctorBook(patient._id, {
                    date: isDate(values.date) ? values.date : undefined,
                    time: start === null ? undefined : clock(start),
                  })}
                >
                  <Avatar name={patient.name} src={patient.profilePicture} size={36} />
                  <span>
                    <strong>{patient.name}</strong>
                    {patient.email && <span className="muted small">{patient.email}</span>}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        ) : (
          <p>{search ? 'None of your patients matches.' : 'You have no patients yet.'}</p>
        )
      ) : isError ? (
        <p>We could not load your patients.</p>
      ) : (
        <Skeletons count={3}>
          <Skeleton height={44} />
        </Skeletons>
      )}
    </Stack>
  );
}
