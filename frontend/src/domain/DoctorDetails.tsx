import { Plural, Trans } from '@lingui/react/macro';
import type { DoctorPage } from '@/api/types';
import { addressLine, telHref } from '@/lib/contact';
import { zoneLabel } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { ClockIcon, PhoneIcon, PlaceIcon } from '@/ui/icons';
import { MoneyIcon } from '@/ui/pageIcons';
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
  const fee = formatMoney(doctor.consultationFee, doctor.currency);
  const average = rating.average.toFixed(1);
  const address = addressLine(hospital.address);
  const hasHours = Object.values(doctor.weeklyHours).some((spans) => spans.length > 0);
  return (
    <Stack gap={6} className={styles.details}>
      <section aria-labelledby="doctor-place">
        <Heading id="doctor-place">
          <Trans>Location</Trans>
        </Heading>
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
                  <Trans>Call about accessibility, parking or an interpreter.</Trans>
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
        <Heading id="doctor-fee">
          <Trans>Fee</Trans>
        </Heading>
        <Stack as="ul" gap={3} className={styles.facts}>
          <li>
            <MoneyIcon />
            <p>
              <Trans>
                <strong>{fee}</strong> per appointment
              </Trans>
              <br />
              <span className="muted">
                <Trans>Nothing is charged when you book.</Trans>
              </span>
            </p>
          </li>
        </Stack>
      </section>
      <section aria-labelledby="doctor-about">
        <Heading id="doctor-about">
          <Trans>About {name}</Trans>
        </Heading>
        {doctor.bio ? (
          <p className="multiline">{doctor.bio}</p>
        ) : (
          <p className="muted">
            <Trans>{name} hasn’t written an introduction yet.</Trans>
          </p>
        )}
      </section>
      <section aria-labelledby="doctor-reviews">
        <Heading id="doctor-reviews">
          <Trans>Reviews</Trans>
        </Heading>
        {rating.count === 0 ? (
          <p className="muted">
            <Trans>No reviews yet.</Trans>
          </p>
        ) : (
          <p>
            <Plural
              value={rating.count}
              one={
                <Trans>
                  <strong>{average} out of 5</strong>, from # review.
                </Trans>
              }
              other={
                <Trans>
                  <strong>{average} out of 5</strong>, from # reviews.
                </Trans>
              }
            />
          </p>
        )}
      </section>
    </Stack>
  );
}
