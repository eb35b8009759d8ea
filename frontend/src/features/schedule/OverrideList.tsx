import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import { FieldError } from '@/domain/schedule/FieldError';
import { hoursText } from '@/domain/schedule/hours';
import { formatDay, formatShortDay } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { fieldId } from '@/ui/Field';
import { Stack } from '@/ui/Stack';
import { groupOverrides, type Override, type OverrideGroup } from './draft';
import styles from './schedule.module.css';

interface Props {
  overrides: Override[];
  errors: Record<string, string>;
  /** The expanded date. */
  selectedDate: string | null;
  onEdit: (group: OverrideGroup) => void;
  onRemove: (group: OverrideGroup) => void;
}

/** Dates with other hours; consecutive days off are one entry. */
export function OverrideList({ overrides, errors, selectedDate, onEdit, onRemove }: Props) {
  const { t } = useLingui();
  const heading = useRef<HTMLHeadingElement>(null);
  if (overrides.length === 0) return null;
  return (
    <Stack gap={2}>
      <h3 ref={heading} tabIndex={-1} className={styles.focusable}>
        {t`Exceptions`}
      </h3>
      <ul className={styles.entries}>
        {groupOverrides(overrides).map((group) => {
          const { from, to, hours, reason, indexes } = group;
          const [start, end] = [formatShortDay(from), formatShortDay(to)];
          const when = from === to ? formatDay(from) : t`${start} to ${end}`;
          const count = indexes.length;
          return (
            <li key={from} className={styles.entry}>
              <div>
                <strong>{when}</strong>
                {from !== to && (
                  <span className="muted">
                    {' '}
                    <Plural value={count} one="(# day)" other="(# days)" />
                  </span>
                )}
                <p>
                  {hoursText(hours) || t`Day off`}
                  {reason && <span className="muted"> · {reason}</span>}
                </p>
                {indexes.map((index) => (
                  <EntryErrors
                    key={index}
                    name={`overrides.${index}`}
                    errors={errors}
                    hasFields={overrides[index]?.date === selectedDate}
                  />
                ))}
              </div>
              <div className={styles.entryActions}>
                <Button variant="quiet" onClick={() => onEdit(group)}>
                  <Trans>
                    Change <span className="visually-hidden">{when}</span>
                  </Trans>
                </Button>
                <Button
                  variant="quiet"
                  onClick={() => {
                    onRemove(group);
                    heading.current?.focus();
                  }}
                >
                  <Trans>
                    Remove <span className="visually-hidden">{when}</span>
                  </Trans>
                </Button>
              </div>
            </li>
          );
        })}
      </ul>
    </Stack>
  );
}

/** The error of a collapsed entry, as a target of the error summary. */
function EntryErrors({
  name,
  errors,
  hasFields,
}: {
  name: string;
  errors: Record<string, string>;
  hasFields: boolean;
}) {
  return Object.entries(errors)
    .filter(([field]) => field === name || field.startsWith(`${name}.`))
    .map(([field, sentence]) => (
      <p key={field} id={hasFields ? undefined : fieldId(field)} tabIndex={-1}>
        <FieldError text={sentence} />
      </p>
    ));
}
