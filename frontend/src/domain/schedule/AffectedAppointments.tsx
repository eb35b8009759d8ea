import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { ApiError, hasCode, messageOf } from '@/api/errors';
import type { AffectedAppointment, Decision } from '@/api/types';
import { telHref } from '@/lib/contact';
import { formatDayTime, formatShortDayTime, isDate, zoneLabel } from '@/lib/dates';
import { formatFacts } from '@/lib/formatList';
import { Button } from '@/ui/Button';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { Select } from '@/ui/Select';
import { Stack } from '@/ui/Stack';
import { Textarea } from '@/ui/Textarea';
import { TextInput } from '@/ui/TextInput';
import { useForm } from '@/ui/useForm';
import { type Choice, chooseForAll, defaultChoice, toDecision } from './affectedChoices';
import { normalizeTime, parseMinute } from './hours';
import styles from './schedule.module.css';
import { TIME_INPUT } from './timeInput';

interface Props {
  affected: AffectedAppointment[];
  timeZone: string;
  /** The introduction above the list. */
  children: ReactNode;
  /** The level of the patients' names among the headings. */
  heading?: 'h2' | 'h3';
  /** The label of the submit button. */
  action: string;
  busyLabel: string;
  /** The link or button back. */
  back: string;
  /** The error message if the server sends none. */
  fallback: string;
  /** Save the change. Throws the server's errors. */
  onSave: (appointments: Record<string, Decision>, reason: string) => Promise<void>;
  onBack: () => void;
  /** The server names fields of the change itself. */
  onRefused: (error: ApiError) => void;
}

interface Values {
  choices: Record<string, Choice>;
  reason: string;
}

/** Decide what happens to each appointment and proposal affected by a change of hours. */
export function AffectedAppointments({ affected: first, children, heading, ...props }: Props) {
  const { t } = useLingui();
  const zone = zoneLabel(props.timeZone);
  const [affected, setAffected] = useState(first);
  const choiceOf = (values: Values, appointment: AffectedAppointment) =>
    values.choices[appointment._id] ?? defaultChoice(appointment, affected);

  const form = useForm<Values>({
    values: { choices: {}, reason: '' },
    validate: (values) => {
      const errors: Record<string, string> = {};
      for (const appointment of affected) {
        const { kind, date = '', time = '' } = choiceOf(values, appointment);
        const name = `visits.${appointment._id}`;
        const patient = appointment.patientName;
        if (!kind) errors[name] = t`Choose what happens to ${patient}’s appointment.`;
        if (kind !== 'propose' && kind !== 'move') continue;
        if (!isDate(date)) errors[`${name}.date`] = t`Enter a date for ${patient}.`;
        if (parseMinute(normalizeTime(time)) === null) {
          errors[`${name}.time`] = t`Enter a time for ${patient}, like ${EXAMPLE_TIME}.`;
        }
      }
      const cancels = affected.some(
        (appointment) => choiceOf(values, appointment).kind === 'cancel',
      );
      if (cancels && !values.reason.trim()) errors.reason = t`Please give a reason for cancelling.`;
      return errors;
    },
    submit: async (values) => {
      const decisions = affected.map((appointment) => [
        appointment._id,
        toDecision(choiceOf(values, appointment)),
      ]);
      try {
        await props.onSave(Object.fromEntries(decisions), values.reason.trim());
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const fields = Object.keys(error.errors);
        // Somebody has booked or cancelled since, so the list has changed.
        if (hasCode(error, 'visits_affected')) {
          setAffected((error.data.affected ?? []) as AffectedAppointment[]);
          throw new ApiError(error.status, {
            message: t`Another appointment is affected now. Please check the list again.`,
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
  const kinds = affected.map((appointment) => choiceOf(values, appointment).kind);
  const isAnyoneNotified = kinds.some((kind) => kind && kind !== 'keep');
  const setAll = (kind: 'propose' | 'move' | 'cancel') =>
    form.set('choices', { ...values.choices, ...chooseForAll(kind, affected) });
  const appointments = affected.filter((appointment) => appointment.kind === 'appointment');

  return (
    <Stack gap={4}>
      <ErrorSummary form={form} />
      {children}
      <Stack as="form" gap={4} noValidate onSubmit={form.onSubmit}>
        {appointments.length > 1 && (
          <Inline as="fieldset" gap={2} align="stretch">
            <legend className="visually-hidden">{t`For all appointments`}</legend>
            <Button variant="secondary" onClick={() => setAll('propose')}>
              {t`Suggest the next opening to all`}
            </Button>
            <Button variant="secondary" onClick={() => setAll('move')}>
              {t`Move all now`}
            </Button>
            {appointments.some((appointment) => appointment.mayCancel) && (
              <Button variant="secondary" onClick={() => setAll('cancel')}>
                {t`Cancel all`}
              </Button>
            )}
          </Inline>
        )}
        <p className="muted small">
          <Trans>All times are in {zone}.</Trans>
        </p>
        <ul className={styles.affected}>
          {affected.map((appointment) => (
            <AffectedRow
              key={appointment._id}
              appointment={appointment}
              heading={heading}
              choice={choiceOf(values, appointment)}
              errors={form.errors}
              onChange={(choice) =>
                form.set('choices', { ...values.choices, [appointment._id]: choice })
              }
            />
          ))}
        </ul>
        {isAnyoneNotified && (
          <Textarea
            {...form.field('reason')}
            label={t`Reason`}
            hint={t`Visible to patients whose appointments you cancel or move, or to whom you suggest a new time.`}
            optional={!kinds.includes('cancel')}
            maxLength={500}
            rows={2}
          />
        )}
        <Inline>
          <Button type="submit" busy={form.busy} busyLabel={props.busyLabel}>
            {props.action}
          </Button>
          <Button variant="secondary" onClick={props.onBack}>
            {props.back}
          </Button>
        </Inline>
      </Stack>
    </Stack>
  );
}

const OTHER = 'other';
const EXAMPLE_TIME = '09:00';

function AffectedRow({
  appointment,
  heading: Heading = 'h2',
  choice,
  errors,
  onChange,
}: {
  appointment: AffectedAppointment;
  heading?: 'h2' | 'h3';
  choice: Choice;
  errors: Record<string, string>;
  onChange: (choice: Choice) => void;
}) {
  const { t } = useLingui();
  const name = `visits.${appointment._id}`;
  const when = formatDayTime(appointment.appointmentDate, appointment.appointmentTime);
  const accessibleSuffix = formatFacts([appointment.patientName, when]);
  return (
    <Grid as="li" rowGap={2} gap={5} align="start" className={styles.affectedRow}>
      <div>
        <Heading className={styles.patient}>{appointment.patientName}</Heading>
        <p className="small">
          <time dateTime={appointment.startsAt}>{when}</time>
          <span className="muted"> · {t(stateOf(appointment))}</span>
        </p>
        {appointment.phone && (
          <a className="small" href={telHref(appointment.phone)}>
            {appointment.phone}
          </a>
        )}
      </div>
      <Grid rowGap={2} gap={3} align="start" className={styles.decision}>
        <Select
          name={name}
          error={errors[name]}
          label={
            <Trans>
              What happens <span className="visually-hidden">to {accessibleSuffix}</span>
            </Trans>
          }
          placeholder={
            choice.kind ? undefined : t({ message: 'Choose', context: 'placeholder of a list' })
          }
          value={choice.kind}
          onChange={(kind) => onChange({ ...choice, kind: kind as Choice['kind'] })}
          options={optionsOf(appointment).map(({ value, label }) => ({ value, label: t(label) }))}
        />
        {(choice.kind === 'propose' || choice.kind === 'move') && (
          <NewTime {...{ appointment, accessibleSuffix, choice, errors, onChange }} />
        )}
      </Grid>
    </Grid>
  );
}

function stateOf({ kind, status, hasProposal }: AffectedAppointment): MessageDescriptor {
  if (kind === 'proposal') return msg`suggested time`;
  if (status === 'pending')
    return hasProposal ? msg`request, another time suggested` : msg`request`;
  return hasProposal
    ? msg`confirmed, another time suggested`
    : msg({ message: 'confirmed', context: 'status after the time of an appointment' });
}

function optionsOf(
  appointment: AffectedAppointment,
): { value: string; label: MessageDescriptor }[] {
  if (appointment.kind === 'proposal') {
    return [
      { value: 'withdraw', label: msg`Withdraw the suggested time` },
      { value: 'keep', label: msg`Keep it (flagged as outside hours)` },
    ];
  }
  const cancel =
    appointment.status === 'pending' ? msg`Decline the request` : msg`Cancel the appointment`;
  return [
    { value: 'propose', label: msg`Suggest another time` },
    { value: 'move', label: msg`Move it now` },
    ...(appointment.mayCancel ? [{ value: 'cancel', label: cancel }] : []),
    { value: 'keep', label: msg`Keep it (flagged as outside hours)` },
  ];
}

/** One of the suggested times, or any other date and time. */
function NewTime({
  appointment,
  accessibleSuffix,
  choice,
  errors,
  onChange,
}: {
  appointment: AffectedAppointment;
  accessibleSuffix: string;
  choice: Choice;
  errors: Record<string, string>;
  onChange: (choice: Choice) => void;
}) {
  const { t } = useLingui();
  const name = `visits.${appointment._id}`;
  const known = [
    ...(appointment.suggested ? [appointment.suggested] : []),
    ...appointment.alternatives,
  ];
  const keyOf = ({ date, time }: { date?: string; time?: string }) => `${date} ${time}`;
  const offered = new Map(known.map((slot) => [keyOf(slot), slot]));
  const isOther = choice.isOther === true || !offered.has(keyOf(choice));
  const error = errors[`${name}.time`];
  return (
    <>
      <Select
        name={isOther ? `${name}.which` : `${name}.time`}
        error={isOther ? undefined : error}
        label={
          <Trans>
            New time <span className="visually-hidden">for {accessibleSuffix}</span>
          </Trans>
        }
        value={isOther ? OTHER : keyOf(choice)}
        onChange={(key) => {
          const slot = offered.get(key);
          onChange(
            slot
              ? { kind: choice.kind, date: slot.date, time: slot.time }
              : { ...choice, isOther: true },
          );
        }}
        options={[
          ...[...offered].map(([key, { date, time }]) => ({
            value: key,
            label: formatShortDayTime(date, time),
          })),
          { value: OTHER, label: t`Another date and time…` },
        ]}
      />
      {isOther && (
        <Grid rowGap={2} gap={3} className={styles.newTime}>
          <TextInput
            name={`${name}.date`}
            error={errors[`${name}.date`]}
            label={
              <Trans>
                Date <span className="visually-hidden">for {accessibleSuffix}</span>
              </Trans>
            }
            type="date"
            value={choice.date ?? ''}
            onChange={(date) => onChange({ ...choice, isOther: true, date })}
          />
          <TextInput
            name={`${name}.time`}
            error={error}
            label={
              <Trans>
                Time <span className="visually-hidden">for {accessibleSuffix}</span>
              </Trans>
            }
            {...TIME_INPUT}
            value={choice.time ?? ''}
            onChange={(time) => onChange({ ...choice, isOther: true, time })}
            onBlur={() =>
              onChange({ ...choice, isOther: true, time: normalizeTime(choice.time ?? '') })
            }
          />
        </Grid>
      )}
    </>
  );
}
