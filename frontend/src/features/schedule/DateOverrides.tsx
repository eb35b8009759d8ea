import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '@/api/errors';
import { removeAbsence } from '@/api/schedule';
import type { Absence } from '@/api/types';
import { type DayLook, MonthGrid } from '@/domain/MonthGrid';
import { absenceText, absentMinutes } from '@/domain/schedule/absence';
import { FieldError } from '@/domain/schedule/FieldError';
import { DAY_MINUTES, hoursText, weekdayName } from '@/domain/schedule/hours';
import { invalidateSchedule } from '@/domain/schedule/invalidateSchedule';
import { REASON_VISIBILITY } from '@/domain/schedule/reasonVisibility';
import { PlusIcon } from '@/domain/staffIcons';
import {
  addMonths,
  formatDay,
  formatShortDay,
  monthOf,
  today as todayIn,
  weekdayOf,
} from '@/lib/dates';
import { Button } from '@/ui/Button';
import { fieldId } from '@/ui/Field';
import { FormSection } from '@/ui/FormSection';
import { RadioGroup } from '@/ui/RadioGroup';
import { TextInput } from '@/ui/TextInput';
import { toast } from '@/ui/toasts';
import type { Form } from '@/ui/useForm';
import {
  checkSpan,
  type Draft,
  type Override,
  type Stretch,
  stretchesOf,
  withDaysOff,
  withOverride,
} from './draft';
import { IntervalList } from './IntervalList';
import styles from './schedule.module.css';

const MONTHS_AHEAD = 24;

interface Props {
  form: Form<Draft>;
  absences: Absence[];
  /** Open the dialog for a new entry, or for one that exists. */
  onTimeOff: (absence?: Absence) => void;
}

/** Time off, and the dates that differ from their weekday: a calendar and the lists of both. */
export function DateOverrides({ form, absences, onTimeOff }: Props) {
  const { overrides, blocked, weeklyHours, timeZone } = form.values;
  const today = todayIn(timeZone);
  const [month, setMonth] = useState(monthOf(today));
  const [chosen, setChosen] = useState<string | null>(null);
  const panel = useRef<HTMLHeadingElement>(null);
  const [range, setRange] = useState<Stretch | null>(null);
  const set = (changed: Override[]) => form.set('overrides', changed);

  const choose = (date: string) => {
    setRange(null);
    setChosen(date);
    setMonth(monthOf(date));
    requestAnimationFrame(() => panel.current?.focus());
  };

  // The date with the first complaint is opened, so that the complaint stands beside its field.
  const [, wrong] =
    Object.keys(form.errors)
      .find((name) => /^overrides\.\d/.test(name))
      ?.split('.') ?? [];
  const wrongDate = wrong ? overrides[Number(wrong)]?.date : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: again at each refusal.
  useEffect(() => {
    if (!wrongDate) return;
    setChosen(wrongDate);
    setMonth(monthOf(wrongDate));
  }, [wrongDate, form.refusals]);

  const look = (date: string): DayLook => {
    const override = overrides.find((each) => each.date === date);
    const open = date >= today;
    const off = absences.map((each) => absentMinutes(each, date)).filter((each) => each !== null);
    if (off.some(([start, end]) => start === 0 && end === DAY_MINUTES)) {
      return { open, tick: 'off', says: 'time off', kind: 'off' };
    }
    const some = off.length > 0 || blocked.some((each) => each.date === date);
    if (override) {
      return override.hours.length === 0
        ? { open, tick: 'off', says: 'day off', kind: 'off' }
        : { open, tick: 'other', says: `other hours, ${hoursText(override.hours)}`, kind: 'other' };
    }
    const usual = weeklyHours[weekdayName(weekdayOf(date))];
    if (usual.length === 0)
      return { open, tick: '', says: 'closed on this weekday', kind: 'closed' };
    return {
      open,
      tick: some ? 'part' : '',
      says: some ? 'usual hours, part of them off or blocked' : 'usual hours',
      kind: 'usual',
    };
  };

  return (
    <FormSection
      title="Time off and exceptions"
      hint="Time off lasts from one date and time to another and is saved at once. Choose a single date to give it other hours."
    >
      <div>
        <Button variant="secondary" icon={<PlusIcon size={18} />} onClick={() => onTimeOff()}>
          Add time off
        </Button>
      </div>
      <Absences absences={absences} onChange={onTimeOff} />
      {form.errors.overrides && (
        <p id={fieldId('overrides')} tabIndex={-1}>
          <FieldError text={form.errors.overrides} />
        </p>
      )}
      <div className={styles.days}>
        <MonthGrid
          month={month}
          onMonth={setMonth}
          first={monthOf(today)}
          last={addMonths(monthOf(today), MONTHS_AHEAD)}
          today={today}
          free={look}
          legend="Dates marked “off” or “other” differ from their weekday; “part” is partly off or blocked."
          selected={chosen}
          onChoose={choose}
        />
        {chosen && (
          <DayPanel
            key={chosen}
            date={chosen}
            form={form}
            heading={panel}
            onChange={(override) => set(withOverride(overrides, chosen, override))}
          />
        )}
        {range && (
          <DaysOff
            key={range.from}
            first={range}
            overrides={overrides.filter((_, at) => !range.indexes.includes(at))}
            today={today}
            onChange={(from, to, reason) => {
              const others = overrides.filter((_, at) => !range.indexes.includes(at));
              set(withDaysOff(others, from, to, reason));
              setMonth(monthOf(from));
              setRange(null);
            }}
          />
        )}
      </div>
      <Stretches
        overrides={overrides}
        errors={form.errors}
        chosen={chosen}
        onEdit={(stretch) => {
          if (stretch.indexes.length === 1) return choose(stretch.from);
          setChosen(null);
          setRange(stretch);
          setMonth(monthOf(stretch.from));
        }}
        onRemove={({ indexes, from, to }) => {
          set(overrides.filter((_, at) => !indexes.includes(at)));
          if (chosen && from <= chosen && chosen <= to) setChosen(null);
          setRange(null);
        }}
      />
    </FormSection>
  );
}

function DayPanel({
  date,
  form,
  heading,
  onChange,
}: {
  date: string;
  form: Form<Draft>;
  heading: React.Ref<HTMLHeadingElement>;
  onChange: (override: Omit<Override, 'date'> | null) => void;
}) {
  const { overrides, weeklyHours } = form.values;
  const at = overrides.findIndex((each) => each.date === date);
  const override = overrides[at];
  const usual = weeklyHours[weekdayName(weekdayOf(date))];
  // Emptying the list of other hours is no wish for a day off.
  const [other, setOther] = useState((override?.hours.length ?? 0) > 0);
  const kind = !override ? 'usual' : override.hours.length > 0 || other ? 'other' : 'off';
  const reason = override?.reason ?? '';
  const name = `overrides.${at}`;
  return (
    <div className={styles.panel}>
      <h3 ref={heading} tabIndex={-1}>
        {formatDay(date)}
      </h3>
      <RadioGroup
        name={override ? `${name}.date` : 'overrides.new'}
        error={override && form.errors[`${name}.date`]}
        label="Hours on this date"
        value={kind}
        onChange={(wanted) => {
          setOther(wanted === 'other');
          if (wanted === 'usual') onChange(null);
          else if (wanted === 'off') onChange({ hours: [], reason });
          else
            onChange({ hours: usual.length ? usual : [{ start: '09:00', end: '17:00' }], reason });
        }}
        options={[
          { value: 'usual', label: `As usual: ${hoursText(usual) || 'closed'}` },
          { value: 'off', label: 'Day off' },
          { value: 'other', label: 'Other hours' },
        ]}
      />
      {override && kind === 'other' && (
        <IntervalList
          name={`${name}.hours`}
          of={formatDay(date)}
          hours={override.hours}
          errors={form.errors}
          onChange={(hours) => onChange({ hours, reason })}
        />
      )}
      {kind === 'other' && override?.hours.length === 0 && (
        <p className="muted small">Without hours this is a day off.</p>
      )}
      {override && (
        <TextInput
          name={`${name}.reason`}
          error={form.errors[`${name}.reason`]}
          label="Reason"
          hint={REASON_VISIBILITY}
          optional
          maxLength={200}
          value={reason}
          onChange={(text) => onChange({ hours: override.hours, reason: text })}
        />
      )}
    </div>
  );
}

/** Several days off in a row, changed as one. */
function DaysOff({
  first,
  overrides,
  today,
  onChange,
}: {
  first: Stretch;
  /** The other dates. */
  overrides: Override[];
  today: string;
  onChange: (from: string, to: string, reason: string) => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const [from, setFrom] = useState(first.from);
  const [to, setTo] = useState(first.to);
  const [reason, setReason] = useState(first.reason);
  const [errors, setErrors] = useState<{ from?: string; to?: string }>({});
  useEffect(() => heading.current?.focus(), []);
  const change = () => {
    const found = checkSpan(overrides, from, to, today);
    setErrors(found);
    if (found.from || found.to) {
      document.getElementById(fieldId(found.from ? 'off.from' : 'off.to'))?.focus();
      return;
    }
    onChange(from, to, reason.trim());
  };
  return (
    <div className={styles.panel}>
      <h3 ref={heading} tabIndex={-1}>
        Change these days off
      </h3>
      <div className={styles.pair}>
        <TextInput
          name="off.from"
          label="First day"
          type="date"
          min={today}
          value={from}
          error={errors.from}
          onChange={setFrom}
          optional="unmarked"
        />
        <TextInput
          name="off.to"
          label="Last day"
          type="date"
          min={from || today}
          value={to}
          error={errors.to}
          onChange={setTo}
          optional="unmarked"
        />
      </div>
      <TextInput
        name="off.reason"
        label="Reason"
        hint={REASON_VISIBILITY}
        optional
        maxLength={200}
        value={reason}
        onChange={setReason}
      />
      <div>
        <Button variant="secondary" onClick={change}>
          Change these days
        </Button>
      </div>
    </div>
  );
}

/** Time off ahead, each entry changed or removed as one. */
function Absences({
  absences,
  onChange,
}: {
  absences: Absence[];
  onChange: (absence: Absence) => void;
}) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: ({ _id }: Absence) => removeAbsence(_id),
    onSuccess: () => toast.success('Time off removed. Patients can book these times again.'),
    onError: (error) => toast.error(messageOf(error, 'Failed to remove the time off')),
    onSettled: () => invalidateSchedule(client),
  });
  if (absences.length === 0) return null;
  return (
    <ul className={styles.entries} aria-label="Time off">
      {absences.map((absence) => {
        const when = absenceText(absence);
        return (
          <li key={absence._id} className={styles.entry}>
            <div>
              <strong>{when}</strong>
              {absence.reason && <p className="muted">{absence.reason}</p>}
            </div>
            <div className={styles.entryActs}>
              <Button variant="quiet" onClick={() => onChange(absence)}>
                Change <span className="visually-hidden">{when}</span>
              </Button>
              <Button
                variant="quiet"
                busy={remove.isPending && remove.variables._id === absence._id}
                busyLabel="Removing..."
                onClick={() => remove.mutate(absence)}
              >
                Remove <span className="visually-hidden">{when}</span>
              </Button>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function Stretches({
  overrides,
  errors,
  chosen,
  onEdit,
  onRemove,
}: {
  overrides: Override[];
  errors: Record<string, string>;
  chosen: string | null;
  onEdit: (stretch: Stretch) => void;
  onRemove: (stretch: Stretch) => void;
}) {
  const list = useRef<HTMLHeadingElement>(null);
  if (overrides.length === 0) return null;
  return (
    <div className="stack" data-gap="2">
      <h3 ref={list} tabIndex={-1} className={styles.focusable}>
        Exceptions
      </h3>
      <ul className={styles.entries}>
        {stretchesOf(overrides).map((stretch) => {
          const { from, to, hours, reason, indexes } = stretch;
          const when =
            from === to ? formatDay(from) : `${formatShortDay(from)} to ${formatShortDay(to)}`;
          return (
            <li key={from} className={styles.entry}>
              <div>
                <strong>{when}</strong>
                {from !== to && <span className="muted"> ({indexes.length} days)</span>}
                <p>
                  {hoursText(hours) || 'Day off'}
                  {reason && <span className="muted"> · {reason}</span>}
                </p>
                {indexes.map((at) => (
                  <EntryErrors
                    key={at}
                    name={`overrides.${at}`}
                    errors={errors}
                    elsewhere={overrides[at]?.date === chosen}
                  />
                ))}
              </div>
              <div className={styles.entryActs}>
                <Button variant="quiet" onClick={() => onEdit(stretch)}>
                  Change <span className="visually-hidden">{when}</span>
                </Button>
                <Button
                  variant="quiet"
                  onClick={() => {
                    onRemove(stretch);
                    list.current?.focus();
                  }}
                >
                  Remove <span className="visually-hidden">{when}</span>
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** What is wrong with an entry whose fields are not shown, where the error summary's links lead. */
function EntryErrors({
  name,
  errors,
  elsewhere,
}: {
  name: string;
  errors: Record<string, string>;
  elsewhere: boolean;
}) {
  return Object.entries(errors)
    .filter(([field]) => field === name || field.startsWith(`${name}.`))
    .map(([field, sentence]) => (
      <p key={field} id={elsewhere ? undefined : fieldId(field)} tabIndex={-1}>
        <FieldError text={sentence} />
      </p>
    ));
}
