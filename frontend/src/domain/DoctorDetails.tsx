import type { DoctorPage } from '@/api/types';
import { addressLine, telHref } from '@/lib/contact';
import { zoneLabel } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { ClockIcon, MoneyIcon, PhoneIcon, PlaceIcon } from '@/ui/icons';
import { Stack } from '@/ui/Stack';
import styles from './DoctorDetails.module.css';
import { WeeklyHours } from './WeeklyHours';

/** Place and access, fee, about, reviews. */
export function DoctorDetails({
  doctor,
  heading: Heading = 'h2',
}: {
  doctor: DoctorPage;
  heading?: 'h2' | 'h3';
}) {
  const { hospital, rating } = doctor;
  const name = doctorName(doctor.name);
  const address = addressLine(hospital.address);
  const hasHours = Object.values(doctor.weeklyHours).some((spans) => spans.length > 0);
  return (
    <Stack gap={6} className={styles.details}>
      <section aria-labelledby="doctor-place">
        <Heading id="doctor-place">Place</Heading>
        <Stack as="ul" gap={3} className={styles.facts}>
          <li>
            <PlaceIcon />
            <div>
              <strong>{hospital.name}</strong>
              {address && <p>{address}</p>}
            </div>
          </li>
          {hospital.phone && (
            <li>
              <PhoneIcon />
              <p>
                <a href={telHref(hospital.phone)}>{hospital.phone}</a>
                <br />
                <span className="muted">
                  Ask here about steps, lifts, parking or an interpreter.
                </span>
              </p>
            </li>
          )}
          {hasHours && (
            <li>
              <ClockIcon />
              <div>
                <WeeklyHours hours={doctor.weeklyHours} />
                <span className="muted">{zoneLabel(doctor.timeZone)}</span>
              </div>
            </li>
          )}
        </Stack>
      </section>
      <section aria-labelledby="doctor-fee">
        <Heading id="doctor-fee">Fee</Heading>
        <Stack as="ul" gap={3} className={styles.facts}>
          <li>
            <MoneyIcon />
            <p>
              <strong>{formatMoney(doctor.consultationFee, doctor.currency)}</strong> per
              appointment
              <br />
              <span className="muted">Nothing is charged when you book.</span>
            </p>
          </li>
        </Stack>
      </section>
      <section aria-labelledby="doctor-about">
        <Heading id="doctor-about">About {name}</Heading>
        {doctor.bio ? (
          <p className="multiline">{doctor.bio}</p>
        ) : (
          <p className="muted">{name} has not written an introduction yet.</p>
        )}
      </section>
      <section aria-labelledby="doctor-reviews">
        <Heading id="doctor-reviews">Reviews</Heading>
        {rating.count === 0 ? (
          <p className="muted">No reviews yet.</p>
        ) : (
          <p>
            <strong>{rating.average.toFixed(1)} out of 5</strong>, from{' '}
            {rating.count.toLocaleString('en-GB')} {rating.count === 1 ? 'review' : 'reviews'}.
          </p>
        )}
      </section>
    </Stack>
  );
}
