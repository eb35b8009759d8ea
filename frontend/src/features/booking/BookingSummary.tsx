import type { Doctor } from '@/api/types';
import { expiryText } from '@/domain/appointment/expiryText';
import { timeZoneLabel } from '@/domain/timeZoneLabel';
import { addressLine } from '@/lib/contact';
import { formatDayTime } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Button, LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { FactList } from '@/ui/FactList';
import { Inline } from '@/ui/Inline';
import { CheckIcon, ClockIcon } from '@/ui/icons';
import { Stack } from '@/ui/Stack';
import styles from './BookingSummary.module.css';
import { HoldExpiry } from './HoldExpiry';
import type { Booking } from './useBooking';

/** Summary above the Book button: doctor, time, place, fee and what booking does. */
export function BookingSummary({ doctor, booking }: { doctor: Doctor; booking: Booking }) {
  const { slot, form, session, canBook } = booking;
  const name = doctorName(doctor.name);
  const zone = doctor.timeZone;
  const place = [doctor.hospital.name, addressLine(doctor.hospital.address)].filter(Boolean);

  return (
    <Stack as="section" gap={5} aria-labelledby="booking-summary">
      <Card gap={4}>
        <h2 id="booking-summary" className="subheading">
          Your appointment
        </h2>
        <FactList gap={3} className={styles.facts}>
          <div>
            <dt>Who</dt>
            <dd>
              {name}, {doctor.specialization}
              {session.user?.role === 'patient' && (
                <span className="block muted small">For {session.user.name}</span>
              )}
            </dd>
          </div>
          <div>
            <dt>When</dt>
            <dd>
              {slot ? (
                <>
                  <strong>{formatDayTime(slot.date, slot.time)}</strong>
                  <span className="block muted small">{timeZoneLabel(slot, zone)}</span>
                  <HoldExpiry hold={booking.hold} zone={zone} />
                </>
              ) : (
                'Not chosen yet'
              )}
            </dd>
          </div>
          <div>
            <dt>Where</dt>
            <dd>{place.length > 0 ? place.join(', ') : 'The clinic will tell you'}</dd>
          </div>
          <div>
            <dt>Fee</dt>
            <dd>
              <strong>{formatMoney(doctor.consultationFee, doctor.currency)}</strong>
              <span className="block muted small">
                Payment is disabled. Nothing is charged online; you pay at the clinic.
              </span>
            </dd>
          </div>
        </FactList>
        <Inline as="p" align="start" wrap={false} className={styles.nextStep}>
          {doctor.instantConfirmation ? <CheckIcon /> : <ClockIcon />}
          {doctor.instantConfirmation ? (
            <span>
              <strong>Your appointment is confirmed right away.</strong>
            </span>
          ) : (
            <span>
              <strong>{name} needs to confirm this request.</strong> We’ll hold the time until then.
            </span>
          )}
        </Inline>
      </Card>
      {canBook && (
        <Stack gap={2}>
          {session.state === 'signed-out' && (
            <p className="muted">
              Next, sign in or create an account. We’ll keep your time and what you typed.
            </p>
          )}
          <Inline align="stretch" fillOnPhone className={styles.actions}>
            <Button
              type="submit"
              busy={form.busy}
              busyLabel="Booking..."
              aria-disabled={booking.isUnavailable}
              aria-describedby="booking-effect"
            >
              Book
            </Button>
            <LinkButton variant="secondary" href={paths.doctor(doctor._id)}>
              Cancel
            </LinkButton>
          </Inline>
          <p id="booking-effect" className="muted">
            <BookingEffect doctor={doctor} booking={booking} />
          </p>
        </Stack>
      )}
    </Stack>
  );
}

/** What booking does, and the doctor's deadline to reply. */
function BookingEffect({ doctor, booking }: { doctor: Doctor; booking: Booking }) {
  const { isUnavailable, hold } = booking;
  const name = doctorName(doctor.name);
  if (isUnavailable) return <>Choose another time to book.</>;
  if (doctor.instantConfirmation) return <>Books your appointment with {name}.</>;
  const respondBy = hold.state === 'held' ? hold.respondBy : null;
  return (
    <>
      Sends a request to {name}.{respondBy && ` ${expiryText(name, respondBy, doctor.timeZone)}`}
    </>
  );
}
