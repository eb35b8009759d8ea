import { useEffect, useRef, useState } from 'react';
import { type DayLook, MonthGrid } from '@/domain/MonthGrid';
import { Complaint } from '@/domain/schedule/Complaint';
import { hoursText, weekdayName } from '@/domain/schedule/hours';
import {
  addMonths,
  formatDay,
  formatShortDay,
  monthOf,
  today as todayIn,
  weekdayOf,
} from '@/lib/dates';
import { Button } from '@/ui/Button';
import { RadioGroup } from '@/ui/choices';
import { fieldId } from '@/ui/Field';
import { FormSection } from '@/ui/FormSection';
import { TextInput } from '@/ui/inputs';
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

/** The dates that differ from their weekday: a calendar, a span of days off, and the list of both. */
export function SpecialDays({ form }: { form: Form<Draft> }) {
  const { overrides, blocked, weeklyHours, timeZone } = form.values;
  const today = todayIn(timeZone);
  const [month, setMonth] = useState(monthOf(today));
  const [chosen, setChosen] = useState<string | null>(null);
  const panel = useRef<HTMLHeadingElement>(null);
  const set = (changed: Override[]) => form.set('overrides', changed);

  const choose = (date: string) => {
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each refusal anew.
  useEffect(() => {
    if (!wrongDate) return;
    setChosen(wrongDate);
    setMonth(monthOf(wrongDate));
  }, [wrongDate, form.refusals]);

  const look = (date: string): DayLook => {
    const override = overrides.find((each) => each.date === date);
    const open = date >= today;
    const some = blocked.some((each) => each.date === date);
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
      says: some ? 'usual hours, some blocked' : 'usual hours',
      kind: 'usual',
    };
  };

  return (
    <FormSection
      title="Days off and other hours"
      hint="Choose a date to take it off or give it hours of its own. It replaces the weekday’s hours on that date only."
    >
      {form.errors.overrides && (
        <p id={fieldId('overrides')} tabIndex={-1}>
          <Complaint text={form.errors.overrides} />
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
          legend="Dates marked “off” or “other” differ from their weekday; “part” has blocked hours."
          selected={chosen}
          onChoose={choose}
        />
        {chosen ? (
          <DayPanel
            key={chosen}
            date={chosen}
            form={form}
            heading={panel}
            onChange={(override) => set(withOverride(overrides, chosen, override))}
          />
        ) : (
          <DaysOff
            overrides={overrides}
            today={today}
            onAdd={(from, to, reason) => {
              set(withDaysOff(overrides, from, to, reason));
              setMonth(monthOf(from));
            }}
          />
        )}
      </div>
      {chosen && (
        <div>
          <Button variant="quiet" onClick={() => setChosen(null)}>
            Take several days off
          </Button>
        </div>
      )}
      <Stretches
        overrides={overrides}
        errors={form.errors}
        chosen={chosen}
        onEdit={choose}
        onRemove={({ indexes, from, to }) => {
          set(overrides.filter((_, at) => !indexes.includes(at)));
          if (chosen && from <= chosen && chosen <= to) setChosen(null);
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
          hint="For yourself; patients do not see it."
          optional
          maxLength={200}
          value={reason}
          onChange={(text) => onChange({ hours: override.hours, reason: text })}
        />
      )}
    </div>
  );
}

function DaysOff({
  overrides,
  today,
  onAdd,
}: {
  overrides: Override[];
  today: string;
  onAdd: (from: string, to: string, reason: string) => void;
}) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [reason, setReason] = useState('');
  const [errors, setErrors] = useState<{ from?: string; to?: string }>({});
  const [said, setSaid] = useState('');
  const add = () => {
    const found = checkSpan(overrides, from, to, today);
    setErrors(found);
    setSaid('');
    if (found.from || found.to) {
      document.getElementById(fieldId(found.from ? 'off.from' : 'off.to'))?.focus();
      return;
    }
    onAdd(from, to, reason.trim());
    setSaid(
      from === to
        ? `${formatDay(from)} is off, once you save.`
        : `${formatDay(from)} to ${formatDay(to)} are off, once you save.`,
    );
    setFrom('');
    setTo('');
    setReason('');
  };
  return (
    <div className={styles.panel}>
      <h3>Take several days off</h3>
      <div className={styles.pair}>
        <TextInput
          name="off.from"
          label="First day"
          type="date"
          min={today}
          value={from}
          error={errors.from}
          onChange={(date) => {
            setFrom(date);
            if (!to || to < date) setTo(date);
          }}
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
        hint="For yourself; patients do not see it."
        optional
        maxLength={200}
        value={reason}
        onChange={setReason}
      />
      <div>
        <Button variant="secondary" onClick={add}>
          Take these days off
        </Button>
      </div>
      <p role="status">{said}</p>
    </div>
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
  onEdit: (date: string) => void;
  onRemove: (stretch: Stretch) => void;
}) {
  const list = useRef<HTMLHeadingElement>(null);
  if (overrides.length === 0) return null;
  return (
    <div className="stack" data-gap="2">
      <h3 ref={list} tabIndex={-1} className={styles.focusable}>
        Dates that differ
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
                <Button variant="quiet" onClick={() => onEdit(from)}>
                  Change <span className="visually-hidden">{formatDay(from)}</span>
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
        <Complaint text={sentence} />
      </p>
    ));
}
