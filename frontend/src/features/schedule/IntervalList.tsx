import { Trans, useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import type { Interval } from '@/api/types';
import { FieldError } from '@/domain/schedule/FieldError';
import { nextInterval, normalizeTime } from '@/domain/schedule/hours';
import { TIME_INPUT } from '@/domain/schedule/timeInput';
import { PlusIcon } from '@/domain/staffIcons';
import { Button, IconButton } from '@/ui/Button';
import { fieldAria, fieldId } from '@/ui/Field';
import { Inline } from '@/ui/Inline';
import { CloseIcon } from '@/ui/icons';
import { Stack } from '@/ui/Stack';
import styles from './schedule.module.css';

interface Props {
  /** The API name: `weeklyHours.monday`, `overrides.2.hours`. */
  name: string;
  /** The subject for screen readers: "Monday". */
  of: string;
  hours: Interval[];
  errors: Record<string, string>;
  onChange: (hours: Interval[]) => void;
}

/** The hours of one day, a row with start and end for each interval. */
export function IntervalList({ name, of, hours, errors, onChange }: Props) {
  const { t } = useLingui();
  const add = useRef<HTMLButtonElement>(null);
  const change = (at: number, part: Partial<Interval>) =>
    onChange(hours.map((each, index) => (index === at ? { ...each, ...part } : each)));
  return (
    <Stack gap={2} className={styles.intervals} id={fieldId(name)} tabIndex={-1}>
      {errors[name] && <FieldError text={errors[name]} />}
      {hours.map((each, at) => {
        const row = `${name}.${at}`;
        const number = at + 1;
        const wrong = (['start', 'end'] as const).filter((end) => errors[`${row}.${end}`]);
        return (
          <Inline
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other key than their index.
            key={at}
            gap={2}
            align="start"
            className={styles.interval}
            data-invalid={wrong.length > 0 ? '' : undefined}
          >
            {wrong.map((end) => (
              <FieldError
                key={end}
                id={`${fieldId(`${row}.${end}`)}-error`}
                text={errors[`${row}.${end}`] ?? ''}
              />
            ))}
            <TimeInput
              name={`${row}.start`}
              label={t`${of}, start of hours ${number}`}
              value={each.start}
              error={errors[`${row}.start`]}
              onChange={(start) => change(at, { start })}
            />
            <span className="muted">
              <Trans context="between a start and an end time">to</Trans>
            </span>
            <TimeInput
              name={`${row}.end`}
              label={t`${of}, end of hours ${number}`}
              value={each.end}
              error={errors[`${row}.end`]}
              onChange={(end) => change(at, { end })}
            />
            <IconButton
              label={t`Remove ${of}, hours ${number}`}
              onClick={() => {
                onChange(hours.filter((_, index) => index !== at));
                add.current?.focus();
              }}
            >
              <CloseIcon size={18} />
            </IconButton>
          </Inline>
        );
      })}
      <div>
        <Button
          ref={add}
          variant="quiet"
          icon={<PlusIcon size={18} />}
          onClick={() => onChange([...hours, nextInterval(hours)])}
        >
          <Trans>
            Add hours <span className="visually-hidden">to {of}</span>
          </Trans>
        </Button>
      </div>
    </Stack>
  );
}

interface TimeInputProps {
  name: string;
  label: string;
  value: string;
  error?: string;
  onChange: (time: string) => void;
}

/**
 * A time of day with a hidden label. Native time inputs may use a 12-hour clock and do not support
 * 24:00; this one accepts common formats.
 */
function TimeInput({ name, label, value, error, onChange }: TimeInputProps) {
  return (
    <input
      {...fieldAria({ name, label, error })}
      {...TIME_INPUT}
      aria-label={label}
      className={styles.timeInput}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      onBlur={() => onChange(normalizeTime(value))}
    />
  );
}
