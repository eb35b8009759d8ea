import { Plural, useLingui } from '@lingui/react/macro';
import { cx } from '@/lib/cx';
import { dayParts } from '@/lib/dates';
import { Grid } from '@/ui/Grid';
import { type Day, sharedToday } from '../freeSlots';
import tiles from '../SlotTiles.module.css';
import styles from './SlotPicker.module.css';

interface Props {
  days: Day[];
  selectedDate: string | null;
  zone: string;
  onChoose: (date: string) => void;
}

/** The next days with free times. */
export function DayTiles({ days, selectedDate, zone, onChoose }: Props) {
  const { t } = useLingui();
  return (
    <Grid as="ul" className={styles.days} aria-label={t`Days with openings`}>
      {days.map(({ date, times }) => {
        const { weekday, day } = dayParts(date);
        return (
          <li key={date}>
            <button
              type="button"
              className={cx(tiles.tile, styles.day)}
              aria-pressed={date === selectedDate}
              onClick={() => onChoose(date)}
            >
              {/* The spaces are for the name that screen readers hear and voice control matches. */}
              <span className={tiles.light}>{date === sharedToday(zone) ? t`Today` : weekday}</span>{' '}
              <span>{day}</span>{' '}
              <span className={styles.count}>
                <Plural value={times.length} one="# open" other="# open" />
              </span>
            </button>
          </li>
        );
      })}
    </Grid>
  );
}
