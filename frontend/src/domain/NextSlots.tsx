import type { Doctor } from '@/api/types';
import { zoneLabel } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import { nearDayLabel, slotLabel, viewerTime } from './freeSlots';
import styles from './NextSlots.module.css';
import tiles from './SlotTiles.module.css';

const MAX_SLOTS = 3;

/** The first free times, each linked to the booking page. */
export function NextSlots({ doctor }: { doctor: Doctor }) {
  const times = doctor.nextTimes.slice(0, MAX_SLOTS);
  const name = doctorName(doctor.name);
  if (times.length === 0) {
    return (
      <Stack gap={2}>
        <p className={styles.title}>No free times right now</p>
        <Link className={styles.more} href={paths.doctor(doctor._id)}>
          What you can do<span className="visually-hidden"> when {name} has no free times</span>
        </Link>
      </Stack>
    );
  }
  return (
    <Stack gap={2}>
      <p className={styles.title}>
        Next free times <span className={styles.zone}>{zoneLabel(doctor.timeZone)}</span>
      </p>
      <ul className={tiles.tiles}>
        {times.map((slot) => {
          const { date, time } = slot;
          const own = viewerTime(slot, doctor.timeZone);
          const near = nearDayLabel(date, doctor.timeZone);
          return (
            <li key={date + time}>
              <Link
                className={tiles.tile}
                href={paths.book(doctor._id, { date, time })}
                aria-label={`${slotLabel(slot, doctor, near)}, book`}
              >
                <span className={tiles.light}>{near}</span> <span>{time}</span>{' '}
                {own && <span className={tiles.light}>{own} yours</span>}
              </Link>
            </li>
          );
        })}
      </ul>
      <Link className={styles.more} href={paths.doctor(doctor._id)}>
        More times<span className="visually-hidden"> of {name}</span>
      </Link>
    </Stack>
  );
}
