import { Trans, useLingui } from '@lingui/react/macro';
import type { Doctor } from '@/api/types';
import { formatTime, zoneLabel } from '@/lib/dates';
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
  const { t } = useLingui();
  const times = doctor.nextTimes.slice(0, MAX_SLOTS);
  const name = doctorName(doctor.name);
  if (times.length === 0) {
    return (
      <Stack gap={2}>
        <p className={styles.title}>{t`No openings right now`}</p>
        <Link className={styles.more} href={paths.doctor(doctor._id)}>
          <Trans>
            See other options<span className="visually-hidden"> while {name} has no openings</span>
          </Trans>
        </Link>
      </Stack>
    );
  }
  return (
    <Stack gap={2}>
      <p className={styles.title}>
        <Trans>Next openings</Trans>{' '}
        <span className={styles.zone}>{zoneLabel(doctor.timeZone)}</span>
      </p>
      <ul className={tiles.tiles}>
        {times.map((slot) => {
          const { date, time } = slot;
          const own = viewerTime(slot, doctor.timeZone);
          const near = nearDayLabel(date, doctor.timeZone);
          const label = slotLabel(slot, doctor, near);
          return (
            <li key={date + time}>
              <Link
                className={tiles.tile}
                href={paths.book(doctor._id, { date, time })}
                aria-label={t`${label}, book`}
              >
                <span className={tiles.light}>{near}</span> <span>{formatTime(time)}</span>{' '}
                {own && (
                  <span className={tiles.light}>
                    <Trans>{own} your time</Trans>
                  </span>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
      <Link className={styles.more} href={paths.doctor(doctor._id)}>
        <Trans>
          More times<span className="visually-hidden"> with {name}</span>
        </Trans>
      </Link>
    </Stack>
  );
}
