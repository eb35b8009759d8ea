import { useQuery } from '@tanstack/react-query';
import { doctorsQuery } from '@/api/queries';
import type { Doctor } from '@/api/types';
import { telHref } from '@/lib/contact';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
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
  const { city } = hospital.address;
  const others = useQuery(
    doctorsQuery({ specialization, city, ordering: 'nextFree', pageSize: MAX_DOCTORS + 1 }),
  );
  const similar = (others.data?.doctors ?? [])
    .filter((other) => other._id !== doctor._id && other.nextFree)
    .slice(0, MAX_DOCTORS);
  return (
    <Stack>
      <p>
        <strong>{doctorName(doctor.name)} has no free times at the moment.</strong> New times appear
        when the doctor adds hours or someone cancels.
      </p>
      {similar.length > 0 && (
        <Stack gap={2}>
          <h3 className="small">
            Free sooner in {specialization}
            {city && `, ${city}`}
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
                        `${nearDayLabel(other.nextFree.date, other.timeZone)}, ${other.nextFree.time}`,
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
          Nobody else in {specialization} has free times in {city}.
        </p>
      )}
      <p>
        <Link href={paths.findDoctors({ specialization, ordering: 'nextFree' })}>
          All doctors in {specialization}, soonest first
        </Link>
      </p>
      {hospital.phone && (
        <Inline as="p" gap={2} align="start" wrap={false} className={styles.phone}>
          <PhoneIcon size={20} />
          <span>
            Or call the clinic: <a href={telHref(hospital.phone)}>{hospital.phone}</a>
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
      <strong>Is it urgent?</strong> Don’t wait for a free time. Call your local emergency number,
      or go to the nearest emergency department.
    </p>
  );
}
