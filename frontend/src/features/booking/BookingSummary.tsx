import { Trans, useLingui } from '@lingui/react/macro';
import type { Doctor } from '@/api/types';
import { expiryText } from '@/domain/appointment/expiryText';
import { timeZoneLabel } from '@/domain/timeZoneLabel';
import { addressLine } from '@/lib/contact';
import { formatDayTime } from '@/lib/dates';
import { formatFacts } from '@/lib/formatList';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { specializationLabel } from '@/lib/specializations';
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
  const { t } = useLingui();
  const { slot, form, session, canBook } = booking;
  const patient = session.user?.role === 'patient' && session.user.name;
  const name = doctorName(doctor.name);
  const zone = doctor.timeZone;
  const place = [doctor.hospital.name, addressLine(doctor.hospital.address)].filter(Boolean);

  return (
    <Stack as="section" gap={5} aria-labelledby="booking-summary">
      <Card gap={4}>
        <h2 id="booking-summary" className="subheading">
          <Trans>Your appointment</Trans>
        </h2>
        <FactList gap={3} className={styles.facts}>
          <div>
            <dt>{t`Who`}</dt>
            <dd>
              {formatFacts([name, specializationLabel(doctor.specialization)])}
              {patient && (
                <span className="block muted small">
                  <Trans>For {patient}</Trans>
                </span>
              )}
            </dd>
          </div>
          <div>
            <dt>{t`When`}</dt>
            <dd>
              {slot ? (
                <>
                  <strong>{formatDayTime(slot.date, slot.time)}</strong>
                  <span className="block muted small">{timeZoneLabel(slot, zone)}</span>
                  <HoldExpiry hold={booking.hold} zone={zone} />
                </>
              ) : (
                t`Not chosen yet`
              )}
            </dd>
          </div>
          <div>
            <dt>{t`Where`}</dt>
            <dd>{place.length > 0 ? place.join(', ') : t`The clinic will tell you`}</dd>
          </div>
          <div>
            <dt>{t`Fee`}</dt>
            <dd>
              <strong>{formatMoney(doctor.consultationFee, doctor.currency)}</strong>
              <span className="block muted small">
                <Trans>
                  Payment is disabled. Nothing is charged online; you pay at the clinic.
                </Trans>
              </span>
            </dd>
          </div>
        </FactList>
        <Inline as="p" align="start" wrap={false} className={styles.nextStep}>
          {doctor.instantConfirmation ? <CheckIcon /> : <ClockIcon />}
          {doctor.instantConfirmation ? (
            <span>
              <strong>{t`Your appointment is confirmed right away.`}</strong>
            </span>
          ) : (
            <span>
              <Trans>
                <strong>{name} needs to confirm this request.</strong> We’ll hold the time until
                then.
              </Trans>
            </span>
          )}
        </Inline>
      </Card>
      {canBook && (
        <Stack gap={2}>
          {session.state === 'signed-out' && (
            <p className="muted">
              <Trans>
                Next, sign in or create an account. We’ll keep your time and what you typed.
              </Trans>
            </p>
          )}
          <Inline align="stretch" fillOnPhone className={styles.actions}>
            <Button
              type="submit"
              busy={form.busy}
              busyLabel={t`Booking...`}
              aria-disabled={booking.isUnavailable}
              aria-describedby="booking-effect"
            >
              <Trans>Book</Trans>
            </Button>
            <LinkButton variant="secondary" href={paths.doctor(doctor._id)}>
              <Trans>Cancel</Trans>
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
  const { t } = useLingui();
  const { isUnavailable, hold } = booking;
  const name = doctorName(doctor.name);
  if (isUnavailable) return t`Choose another time to book.`;
  if (doctor.instantConfirmation) return t`Books your appointment with ${name}.`;
  const respondBy = hold.state === 'held' ? hold.respondBy : null;
  const effect = t`Sends a request to ${name}.`;
  return respondBy ? `${effect} ${expiryText(name, respondBy, doctor.timeZone)}` : effect;
}
