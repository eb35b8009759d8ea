import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Week, Weekday } from '@/api/types';
import { appointmentStarts, hoursText, weekdayLabel } from '@/domain/schedule/hours';
import { orderedWeekdays } from '@/lib/weekStart';
import { Button } from '@/ui/Button';
import { CheckboxGroup } from '@/ui/CheckboxGroup';
import { Dialog } from '@/ui/Dialog';
import { Grid } from '@/ui/Grid';
import { Stack } from '@/ui/Stack';
import { IntervalList } from './IntervalList';
import styles from './schedule.module.css';

interface Props {
  week: Week;
  appointment: number;
  buffer: number;
  errors: Record<string, string>;
  onChange: (week: Week) => void;
}

/** The week as a list, with everything the grid can do, for keyboard and touch. */
export function WeekList({ week, appointment, buffer, errors, onChange }: Props) {
  const [copying, setCopying] = useState<Weekday | null>(null);
  return (
    <Stack gap={0}>
      {orderedWeekdays().map((day) => {
        const hours = week[day];
        const slots = appointmentStarts(hours, appointment, buffer).length;
        const weekday = weekdayLabel(day);
        return (
          <Grid
            key={day}
            as="section"
            rowGap={1}
            gap={3}
            align="start"
            className={styles.weekDay}
            aria-labelledby={`day-${day}`}
          >
            <Stack gap={0} className={styles.weekHeader}>
              <h3 id={`day-${day}`}>{weekday}</h3>
              <span className="muted small">
                {hours.length === 0 ? (
                  <Trans context="a day without hours">Closed</Trans>
                ) : (
                  <Plural value={slots} one="# slot" other="# slots" />
                )}
              </span>
            </Stack>
            <IntervalList
              name={`weeklyHours.${day}`}
              of={weekday}
              hours={hours}
              errors={errors}
              onChange={(hours) => onChange({ ...week, [day]: hours })}
            />
            <Button variant="quiet" onClick={() => setCopying(day)}>
              <Trans>
                Copy <span className="visually-hidden">{weekday} </span>to…
              </Trans>
            </Button>
          </Grid>
        );
      })}
      {copying && (
        <CopyDialog
          day={copying}
          text={hoursText(week[copying])}
          onCopy={(days) => {
            const copies = days.map((day) => [day, week[copying].map((each) => ({ ...each }))]);
            onChange({ ...week, ...Object.fromEntries(copies) });
            setCopying(null);
          }}
          onClose={() => setCopying(null)}
        />
      )}
    </Stack>
  );
}

function CopyDialog({
  day,
  text,
  onCopy,
  onClose,
}: {
  day: Weekday;
  text: string;
  onCopy: (days: string[]) => void;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const [days, setDays] = useState<string[]>([]);
  const weekday = weekdayLabel(day);
  const others = orderedWeekdays().filter((each) => each !== day);
  return (
    <Dialog
      title={t`Copy ${weekday} to other days`}
      onClose={onClose}
      actions={
        <>
          <Button aria-disabled={days.length === 0} onClick={() => days.length > 0 && onCopy(days)}>
            {t`Copy hours`}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            {t`Go back`}
          </Button>
        </>
      }
    >
      <p>
        {text
          ? t`${text}. These hours will replace those of the days you choose.`
          : t`The days you choose will be closed.`}
      </p>
      <CheckboxGroup
        name="copy"
        label={t`Days`}
        value={days}
        onChange={setDays}
        options={others.map((each) => ({ value: each, label: weekdayLabel(each) }))}
      />
    </Dialog>
  );
}
