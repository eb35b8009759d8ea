import { type ReactNode, useState } from 'react';
import { ApiError, hasCode, messageOf } from '@/api/errors';
import type { AffectedVisit, Decision } from '@/api/types';
import { StatusBadge } from '@/domain/StatusBadge';
import { formatDay, formatDayTime, zoneLabel } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { RadioGroup } from '@/ui/choices';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { fieldId } from '@/ui/Field';
import { Textarea } from '@/ui/inputs';
import { useForm } from '@/ui/useForm';
import { Complaint } from './Complaint';
import styles from './schedule.module.css';

interface Props {
  affected: AffectedVisit[];
  timeZone: string;
  /** What stands above the list: that nothing is done yet, and what is asked. */
  children: ReactNode;
  /** The level of the patients' names among the headings. */
  heading?: 'h2' | 'h3';
  /** What the change is called on its button. */
  action: string;
  busyLabel: string;
  /** What goes back to where one came from. */
  back: string;
  /** The sentence for a failure of which the server says nothing. */
  fallback: string;
  /** Do it. Raises what the server refuses. */
  onSave: (visits: Record<string, Decision>, reason: string) => Promise<void>;
  onBack: () => void;
  /** The server names fields of the change itself. */
  onRefused: (error: ApiError) => void;
}

type Choice = { kind: 'keep' | 'cancel' | 'propose'; date?: string; time?: string };

interface Values {
  choices: Record<string, Choice>;
  reason: string;
}

const KEEP: Choice = { kind: 'keep' };

function decisionOf({ kind, date, time }: Choice): Decision {
  return kind === 'propose' ? { date: date ?? '', time: time ?? '' } : kind;
}

/** The visits that a change of hours leaves outside, and what shall become of each. */
export function Decisions({ affected: first, children, heading, ...props }: Props) {
  const [affected, setAffected] = useState(first);
  const choiceOf = (values: Values, id: string) => values.choices[id] ?? KEEP;

  const form = useForm<Values>({
    values: { choices: {}, reason: '' },
    validate: (values) => {
      const errors: Record<string, string> = {};
      for (const { _id, patientName, alternatives } of affected) {
        const { kind, date, time } = choiceOf(values, _id);
        const offered = alternatives.some((each) => each.date === date && each.time === time);
        if (kind === 'propose' && !offered) {
          errors[`visits.${_id}.time`] = `Choose a time to propose to ${patientName}.`;
        }
      }
      const cancels = affected.some(({ _id }) => choiceOf(values, _id).kind === 'cancel');
      if (cancels && !values.reason.trim()) errors.reason = 'Please give a reason for cancelling.';
      return errors;
    },
    submit: async (values) => {
      const visits = affected.map(({ _id }) => [_id, decisionOf(choiceOf(values, _id))]);
      try {
        await props.onSave(Object.fromEntries(visits), values.reason.trim());
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const fields = Object.keys(error.errors);
        // Someone booked or cancelled meanwhile: the list is not what it was.
        if (hasCode(error, 'visits_affected')) {
          setAffected((error.data.affected ?? []) as AffectedVisit[]);
          throw new ApiError(error.status, {
            message: 'Another visit is affected now. Please look at the list again.',
          });
        }
        if (fields.some((name) => name !== 'reason' && !name.startsWith('visits.')))
          props.onRefused(error);
        throw error;
      }
    },
    message: (error) => messageOf(error, props.fallback),
  });

  const { values } = form;
  const kinds = affected.map(({ _id }) => choiceOf(values, _id).kind);
  const told = kinds.some((kind) => kind !== 'keep');
  const set = (id: string, choice: Choice) =>
    form.set('choices', { ...values.choices, [id]: choice });

  return (
    <div className="stack" data-gap="5">
      <ErrorSummary form={form} />
      {children}
      <form className="stack" data-gap="5" noValidate onSubmit={form.onSubmit}>
        <ul className={styles.affected}>
          {affected.map((visit) => (
            <AffectedCard
              key={visit._id}
              visit={visit}
              zone={props.timeZone}
              heading={heading}
              choice={choiceOf(values, visit._id)}
              errors={form.errors}
              onChange={(choice) => set(visit._id, choice)}
            />
          ))}
        </ul>
        {told && (
          <Textarea
            {...form.field('reason')}
            label="Reason"
            hint="The patients whose visit is cancelled or who get a proposal read it."
            optional={!kinds.includes('cancel')}
            maxLength={500}
            rows={3}
          />
        )}
        <div className="row">
          <Button type="submit" busy={form.busy} busyLabel={props.busyLabel}>
            {props.action}
          </Button>
          <Button variant="secondary" onClick={props.onBack}>
            {props.back}
          </Button>
        </div>
      </form>
    </div>
  );
}

function AffectedCard({
  visit,
  zone,
  heading: Heading = 'h2',
  choice,
  errors,
  onChange,
}: {
  visit: AffectedVisit;
  zone: string;
  heading?: 'h2' | 'h3';
  choice: Choice;
  errors: Record<string, string>;
  onChange: (choice: Choice) => void;
}) {
  const name = `visits.${visit._id}`;
  const when = formatDayTime(visit.appointmentDate, visit.appointmentTime);
  const error = errors[`${name}.time`] ?? errors[`${name}.date`];
  const options = [
    { value: 'keep', label: 'Keep it, marked as outside your hours' },
    ...(visit.alternatives.length > 0 ? [{ value: 'propose', label: 'Propose another time' }] : []),
    ...(visit.mayCancel
      ? [{ value: 'cancel', label: visit.status === 'pending' ? 'Decline it' : 'Cancel it' }]
      : []),
  ];
  return (
    <Card as="li" tight className="stack">
      <div className={styles.affectedHead}>
        <div>
          <Heading className={styles.title}>{visit.patientName}</Heading>
          <p>
            <time dateTime={visit.startsAt}>{when}</time>{' '}
            <span className="muted small">{zoneLabel(zone)}</span>
          </p>
        </div>
        <StatusBadge status={visit.status} />
      </div>
      <RadioGroup
        name={name}
        error={errors[name]}
        label={<span className="visually-hidden">What becomes of {visit.patientName}’s visit</span>}
        value={choice.kind}
        onChange={(kind) => onChange({ kind: kind as Choice['kind'] })}
        options={options}
      />
      {choice.kind === 'propose' && (
        <fieldset className="stack" data-gap="2" id={fieldId(`${name}.time`)} tabIndex={-1}>
          <legend className="visually-hidden">Time to propose to {visit.patientName}</legend>
          {error && <Complaint text={error} />}
          <p className="muted small">
            The visit stays at its time until {visit.patientName} accepts.
          </p>
          <div className={styles.alternatives}>
            {visit.alternatives.map(({ date, time }) => (
              <button
                key={date + time}
                type="button"
                className={styles.alternative}
                aria-pressed={choice.date === date && choice.time === time}
                onClick={() => onChange({ kind: 'propose', date, time })}
              >
                {formatDay(date)}, <strong>{time}</strong>
              </button>
            ))}
          </div>
        </fieldset>
      )}
      {visit.alternatives.length === 0 && (
        <p className="muted small">The new hours have no free time near it to propose.</p>
      )}
    </Card>
  );
}
