import { Trans, useLingui } from '@lingui/react/macro';
import type { Appointment, FreeTime } from '@/api/types';
import { viewerTime } from '@/domain/freeSlots';
import { formatDayTime, zoneLabel } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { specializationLabel } from '@/lib/specializations';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Inline } from '@/ui/Inline';
import styles from './AlternativeSlots.module.css';

/** After an expired request: the nearest free times, linked to the booking page. */
export default function AlternativeSlots({
  appointment,
  times,
}: {
  appointment: Appointment;
  times: FreeTime[];
}) {
  const { t } = useLingui();
  const { doctor, timeZone } = appointment;
  const name = doctorName(doctor.name);
  const specialization = specializationLabel(doctor.specialization);
  const zone = zoneLabel(timeZone);
  return (
    <Card as="section" gap={3} className={styles.alternatives} aria-labelledby="instead">
      <h2 id="instead">
        <Trans>Book another time</Trans>
      </h2>
      {times.length > 0 ? (
        <>
          <p>
            <Trans>
              We’re sorry. These are the closest openings {name} has to the time you requested (
              {zone}):
            </Trans>
          </p>
          <Inline as="ul" gap={2} align="stretch">
            {times.map(({ date, time }) => {
              const own = viewerTime({ date, time }, timeZone);
              const dayTime = formatDayTime(date, time);
              return (
                <li key={date + time}>
                  <LinkButton variant="secondary" href={paths.book(doctor._id, { date, time })}>
                    {own ? t`${dayTime} (${own} your time)` : dayTime}
                  </LinkButton>
                </li>
              );
            })}
          </Inline>
        </>
      ) : (
        <p>
          <Trans>We’re sorry. {name} has no openings right now.</Trans>
        </p>
      )}
      <div>
        <LinkButton
          variant={times.length > 0 ? 'quiet' : 'secondary'}
          href={paths.findDoctors({ specialization: doctor.specialization, ordering: 'nextFree' })}
        >
          <Trans>Other doctors in {specialization}</Trans>
        </LinkButton>
      </div>
    </Card>
  );
}
