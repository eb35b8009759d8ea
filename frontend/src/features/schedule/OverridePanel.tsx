import { useLingui } from '@lingui/react/macro';
import { type Ref, useState } from 'react';
import { hoursText, weekdayName } from '@/domain/schedule/hours';
import { REASON_VISIBILITY } from '@/domain/schedule/reasonVisibility';
import { formatDay, weekdayOf } from '@/lib/dates';
import { RadioGroup } from '@/ui/RadioGroup';
import { TextInput } from '@/ui/TextInput';
import type { Form } from '@/ui/useForm';
import type { Draft, Override } from './draft';
import { IntervalList } from './IntervalList';
import styles from './schedule.module.css';

interface Props {
  date: string;
  form: Form<Draft>;
  heading: Ref<HTMLHeadingElement>;
  onChange: (override: Omit<Override, 'date'> | null) => void;
}

/** The hours of one date: regular, none, or others. */
export function OverridePanel({ date, form, heading, onChange }: Props) {
  const { t } = useLingui();
  const { overrides, weeklyHours } = form.values;
  const index = overrides.findIndex((each) => each.date === date);
  const override = overrides[index];
  const usualHours = weeklyHours[weekdayName(weekdayOf(date))];
  const usualText = hoursText(usualHours);
  // An emptied list of other hours doesn't mean a day off.
  const [isOther, setIsOther] = useState((override?.hours.length ?? 0) > 0);
  const kind = !override ? 'usual' : override.hours.length > 0 || isOther ? 'other' : 'off';
  const reason = override?.reason ?? '';
  const name = `overrides.${index}`;
  return (
    <div className={styles.panel}>
      <h3 ref={heading} tabIndex={-1}>
        {formatDay(date)}
      </h3>
      <RadioGroup
        name={override ? `${name}.date` : 'overrides.new'}
        error={override && form.errors[`${name}.date`]}
        label={t`Hours on this date`}
        value={kind}
        onChange={(choice) => {
          setIsOther(choice === 'other');
          if (choice === 'usual') onChange(null);
          else if (choice === 'off') onChange({ hours: [], reason });
          else
            onChange({
              hours: usualHours.length ? usualHours : [{ start: '09:00', end: '17:00' }],
              reason,
            });
        }}
        options={[
          {
            value: 'usual',
            label: usualText ? t`Weekly hours: ${usualText}` : t`Weekly hours: closed`,
          },
          { value: 'off', label: t`Day off` },
          { value: 'other', label: t`Other hours` },
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
        <p className="muted small">{t`Without hours, this is a day off.`}</p>
      )}
      {override && (
        <TextInput
          name={`${name}.reason`}
          error={form.errors[`${name}.reason`]}
          label={t`Reason`}
          hint={t(REASON_VISIBILITY)}
          optional
          maxLength={200}
          value={reason}
          onChange={(text) => onChange({ hours: override.hours, reason: text })}
        />
      )}
    </div>
  );
}
