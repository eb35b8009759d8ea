import { useQuery } from '@tanstack/react-query';
import { doctorsQuery } from '@/api/queries';
import type { Doctor } from '@/api/types';
import { nearDay } from '@/domain/freeTimes';
import { telHref } from '@/lib/contact';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Face } from '@/ui/Face';
import { PhoneIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import styles from './NoFreeTimes.module.css';

const SHOWN = 3;

/** No time is free at all: who else, whom to call, and what to do when it cannot wait. */
export function NoFreeTimes({ doctor }: { doctor: Doctor }) {
  const { hospital, specialization } = doctor;
  const others = useQuery(
    doctorsQuery({ specialization, ordering: 'nextFree', pageSize: SHOWN + 1 }),
  );
  const similar = (others.data?.doctors ?? [])
    .filter((other) => other._id !== doctor._id && other.nextFree)
    .slice(0, SHOWN);
  return (
    <div className="stack">
      <p>
        <strong>{doctorName(doctor.name)} has no free times at the moment.</strong> New ones appear
        here when the calendar opens further or somebody cancels.
      </p>
      {similar.length > 0 && (
        <div className="stack" data-gap="2">
          <h3 className={styles.title}>Free sooner in {specialization}</h3>
          <ul className={styles.others}>
            {similar.map((other) => (
              <li key={other._id}>
                <Face name={other.name} src={other.profilePicture} size={48} />
                <p>
                  <Link href={paths.doctor(other._id)}>{doctorName(other.name)}</Link>
                  <br />
                  <span className="muted small">
                    {other.nextFree &&
                      `${nearDay(other.nextFree.date, other.timeZone)}, ${other.nextFree.time}`}
                    {other.hospital.address.city && `, ${other.hospital.address.city}`}
                  </span>
                </p>
              </li>
            ))}
          </ul>
        </div>
      )}
      <p>
        <Link href={paths.findDoctors({ specialization, ordering: 'nextFree' })}>
          All doctors in {specialization}, soonest first
        </Link>
      </p>
      {hospital.phone && (
        <p className={styles.phone}>
          <PhoneIcon size={20} />
          <span>
            Or call the clinic: <a href={telHref(hospital.phone)}>{hospital.phone}</a>
          </span>
        </p>
      )}
      <UrgentNote />
    </div>
  );
}

/** For those who cannot wait for an appointment. */
function UrgentNote() {
  return (
    <p className={styles.urgent}>
      <strong>Is it urgent?</strong> Don’t wait for a free time. Call your local emergency number,
      or go to the nearest emergency department.
    </p>
  );
}
