import { Trans, useLingui } from '@lingui/react/macro';
import { cx } from '@/lib/cx';
import { formatTime, isMorning } from '@/lib/dates';
import { Link } from '@/ui/Link';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { type Slot, slotLabel, viewerTime } from '../freeSlots';
import tiles from '../SlotTiles.module.css';
import styles from './SlotPicker.module.css';
import { ZoneNote } from './ZoneNote';

interface SlotProps {
  doctor: { name: string; timeZone: string };
  /** Times are links to these addresses… */
  href?: (slot: Slot) => string;
  /** …or buttons that choose. */
  onChoose?: (slot: Slot) => void;
  selectedSlot?: Slot | null;
}

interface Props extends SlotProps {
  date: string;
  /** Null while they load. */
  times: string[] | null;
}

/** The free times of a day. */
export function SlotTimes({ date, times, ...slotProps }: Props) {
  const { t } = useLingui();
  const sample = times?.[0] ? { date, time: times[0] } : null;
  return (
    <>
      <ZoneNote zone={slotProps.doctor.timeZone} sample={sample} />
      {times === null ? (
        <Skeletons count={2}>
          <Skeleton height={48} />
        </Skeletons>
      ) : (
        [true, false].map((morning) => {
          const partTimes = times.filter((time) => isMorning(time) === morning);
          if (partTimes.length === 0) return null;
          return (
            <Stack key={String(morning)} gap={2}>
              <h4 className={cx(styles.partTitle, 'small')}>
                {morning ? t`Morning` : t`Afternoon`}
              </h4>
              <ul className={tiles.tiles}>
                {partTimes.map((time) => (
                  <li key={time}>
                    <SlotTile slot={{ date, time }} {...slotProps} />
                  </li>
                ))}
              </ul>
            </Stack>
          );
        })
      )}
    </>
  );
}

function SlotTile({ slot, doctor, href, onChoose, selectedSlot }: SlotProps & { slot: Slot }) {
  const ownTime = viewerTime(slot, doctor.timeZone);
  const content = (
    <>
      <span>{formatTime(slot.time)}</span>{' '}
      {ownTime && (
        <span className={tiles.light}>
          <Trans>{ownTime} your time</Trans>
        </span>
      )}
    </>
  );
  const name = slotLabel(slot, doctor);
  return href ? (
    <Link className={tiles.tile} href={href(slot)} aria-label={name}>
      {content}
    </Link>
  ) : (
    <button
      type="button"
      className={tiles.tile}
      aria-pressed={selectedSlot?.date === slot.date && selectedSlot.time === slot.time}
      aria-label={name}
      onClick={() => onChoose?.(slot)}
    >
      {content}
    </button>
  );
}
