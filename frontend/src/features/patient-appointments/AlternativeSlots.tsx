import type { Appointment, FreeTime } from '@/api/types';
import { viewerTime } from '@/domain/freeSlots';
import { formatDayTime, zoneLabel } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Inline } from '@/ui/Inline';
import styles from './AlternativeSlots.module.css';

/** After an expired request: the nearest free times, linked to the booking page. */
export function AlternativeSlots({
  appointment,
  times,
}: {
  appointment: Appointment;
  times: FreeTime[];
}) {
  const { doctor, timeZone } = appointment;
  const name = doctorName(doctor.name);
  return (
    <Card as="section" gap={3} className={styles.alternatives} aria-labelledby="instead">
      <h2 id="instead">Book another time</h2>
      {times.length > 0 ? (
        <>
          <p>
            We’re sorry. {name} is free at these times, closest to the one you asked for (
            {zoneLabel(timeZone)}):
          </p>
          <Inline as="ul" gap={2} align="stretch">
            {times.map(({ date, time }) => {
              const own = viewerTime({ date, time }, timeZone);
              return (
                <li key={date + time}>
                  <LinkButton variant="secondary" href={paths.book(doctor._id, { date, time })}>
                    {formatDayTime(date, time)}
                    {own && ` (${own} your time)`}
                  </LinkButton>
                </li>
              );
            })}
          </Inline>
        </>
      ) : (
        <p>We’re sorry. {name} has no free times at the moment.</p>
      )}
      <div>
        <LinkButton
          variant={times.length > 0 ? 'quiet' : 'secondary'}
          href={paths.findDoctors({ specialization: doctor.specialization, ordering: 'nextFree' })}
        >
          Other doctors in {doctor.specialization}
        </LinkButton>
      </div>
    </Card>
  );
}
