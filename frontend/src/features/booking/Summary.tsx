import type { Doctor } from '@/api/types';
import { clockLine } from '@/domain/clockLine';
import { addressLine } from '@/lib/contact';
import { formatDayTime } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Button, LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { CheckIcon, ClockIcon } from '@/ui/icons';
import { KeptUntil } from './KeptUntil';
import styles from './Summary.module.css';
import type { Booking } from './useBooking';

/** Directly above the button: who, when, where, for how much, and what pressing it does. */
export function Summary({ doctor, booking }: { doctor: Doctor; booking: Booking }) {
  const { chosen, form, session, mayBook } = booking;
  const name = doctorName(doctor.name);
  const zone = doctor.timeZone;
  const place = [doctor.hospital.name, addressLine(doctor.hospital.address)].filter(Boolean);

  return (
    <section className="stack" data-gap="5" aria-labelledby="booking-summary">
      <Card className={styles.summary}>
        <h2 id="booking-summary">Your appointment</h2>
        <dl className={styles.facts}>
          <div>
            <dt>Who</dt>
            <dd>
              {name}, {doctor.specialization}
              {session.user?.role === 'patient' && (
                <span className={styles.extra}>For {session.user.name}</span>
              )}
            </dd>
          </div>
          <div>
            <dt>When</dt>
            <dd>
              {chosen ? (
                <>
                  <strong>{formatDayTime(chosen.date, chosen.time)}</strong>
                  <span className={styles.extra}>{clockLine(chosen, zone)}</span>
                  <KeptUntil keeping={booking.keeping} zone={zone} />
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
              <span className={styles.extra}>
                Payment is disabled: nothing is charged when you book.
              </span>
            </dd>
          </div>
        </dl>
        <p className={styles.next}>
          {doctor.instantConfirmation ? <CheckIcon /> : <ClockIcon />}
          {doctor.instantConfirmation ? (
            <span>
              <strong>Your appointment is confirmed directly.</strong> {name} expects you at this
              time.
            </span>
          ) : (
            <span>
              <strong>Your booking is a request that {name} answers.</strong> The time is kept for
              you meanwhile, and you see the answer under My appointments.
            </span>
          )}
        </p>
      </Card>
      {mayBook && (
        <div className="stack" data-gap="2">
          {session.state === 'signed-out' && (
            <p className="muted">
              Book first asks you to sign in or register. Your time and what you typed stay.
            </p>
          )}
          <div className={styles.actions}>
            <Button type="submit" busy={form.busy} busyLabel="Booking...">
              Book
            </Button>
            <LinkButton variant="secondary" href={paths.doctor(doctor._id)}>
              Cancel
            </LinkButton>
          </div>
        </div>
      )}
    </section>
  );
}
