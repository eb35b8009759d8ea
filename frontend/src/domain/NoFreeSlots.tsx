import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { doctorsQuery } from '@/api/queries';
import type { Doctor } from '@/api/types';
import { telHref } from '@/lib/contact';
import { formatTime } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { specializationLabel } from '@/lib/specializations';
import { Avatar } from '@/ui/Avatar';
import { Inline } from '@/ui/Inline';
import { PhoneIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import { nearDayLabel } from './freeSlots';
import styles from './NoFreeSlots.module.css';

const MAX_DOCTORS = 3;

/** Shown if the doctor is fully booked: similar doctors nearby, the phone number, and urgent care advice. */
export function NoFreeSlots({ doctor }: { doctor: Doctor }) {
  const { hospital, specialization } = doctor;
  const specialty = specializationLabel(specialization);
  const { city } = hospital.address;
  const { phone } = hospital;
  const name = doctorName(doctor.name);
  const others = useQuery(
    doctorsQuery({ specialization, city, ordering: 'nextFree', pageSize: MAX_DOCTORS + 1 }),
  );
  const similar = (others.data?.doctors ?? [])
    .filter((other) => other._id !== doctor._id && other.nextFree)
    .slice(0, MAX_DOCTORS);
  return (
    <Stack>
      <p>
        <Trans>
          <strong>{name} has no openings right now.</strong> New times appear when the doctor adds
          hours or someone cancels.
        </Trans>
      </p>
      {similar.length > 0 && (
        <Stack gap={2}>
          <h3 className="small">
            {city ? (
              <Trans>
                Sooner openings in {specialty}, {city}
              </Trans>
            ) : (
              <Trans>Sooner openings in {specialty}</Trans>
            )}
          </h3>
          <Stack as="ul" gap={3} className={styles.alternatives}>
            {similar.map((other) => (
              <li key={other._id}>
                <Avatar name={other.name} src={other.profilePicture} size={48} />
                <p>
                  <Link href={paths.doctor(other._id)}>{doctorName(other.name)}</Link>
                  <br />
                  <span className="muted small">
                    {[
                      other.nextFree &&
                        `${nearDayLabel(other.nextFree.date, other.timeZone)}, ${formatTime(other.nextFree.time)}`,
                      other.hospital.name,
                      other.hospital.address.city,
                    ]
                      .filter(Boolean)
                      .join(', ')}
                  </span>
                </p>
              </li>
            ))}
          </Stack>
        </Stack>
      )}
      {others.data && similar.length === 0 && city && (
        <p>
          <Trans>
            No one else in {specialty} has openings in {city}.
          </Trans>
        </p>
      )}
      <p>
        <Link href={paths.findDoctors({ specialization, ordering: 'nextFree' })}>
          <Trans>All doctors in {specialty}, soonest first</Trans>
        </Link>
      </p>
      {phone && (
        <Inline as="p" gap={2} align="start" wrap={false} className={styles.phone}>
          <PhoneIcon size={20} />
          <span>
            <Trans>
              Or call the clinic: <a href={telHref(phone)}>{phone}</a>
            </Trans>
          </span>
        </Inline>
      )}
      <UrgentNote />
    </Stack>
  );
}

/** Advice for patients who cannot wait for an appointment. */
function UrgentNote() {
  return (
    <p className={styles.urgent}>
      <Trans>
        <strong>Is it urgent?</strong> Don’t wait for an opening. Call your local emergency number,
        or go to the nearest emergency department.
      </Trans>
    </p>
  );
}
