import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import type { Doctor } from '@/api/types';
import { locationText } from '@/domain/doctorFacts';
import { isFree, useFreeSlots } from '@/domain/freeSlots';
import { LazySlotUnavailable } from '@/domain/LazySlotUnavailable';
import { SlotPicker } from '@/domain/slotPicker/SlotPicker';
import { timeZoneLabel } from '@/domain/timeZoneLabel';
import { formatDay, formatDayTime, formatTime, today } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { specializationLabel } from '@/lib/specializations';
import { Avatar } from '@/ui/Avatar';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { fieldId } from '@/ui/Field';
import { Inline } from '@/ui/Inline';
import { Stack } from '@/ui/Stack';
import { Toolbar } from '@/ui/Toolbar';
import { HoldExpiry } from './HoldExpiry';
import { holdIdFor } from './hold';
import styles from './SlotSummary.module.css';
import type { Booking } from './useBooking';

// Rarely needed, so loaded on demand.
const SlotWarning = lazy(() => import('./SlotWarning'));

/** The doctor, and the selected time or the picker. */
export function SlotSummary({ doctor, booking }: { doctor: Doctor; booking: Booking }) {
  const { t } = useLingui();
  const { slot, day, isPicking, heading, form, hold } = booking;
  const holdId = holdIdFor(doctor._id);
  const { slots } = useFreeSlots(doctor._id, holdId);
  const [shownDay, setShownDay] = useState(day);
  const zone = doctor.timeZone;
  const name = doctorName(doctor.name);
  const specialization = specializationLabel(doctor.specialization);
  const fee = formatMoney(doctor.consultationFee, doctor.currency);
  const time = slot && formatTime(slot.time);
  const dayText = slot && formatDay(slot.date);
  const slotText = slot && formatDayTime(slot.date, slot.time);
  const error = form.errors.appointmentTime;
  const isGone =
    slot !== null &&
    !form.busy &&
    !form.message &&
    !booking.unavailable &&
    hold.state !== 'held' &&
    !booking.isUnavailable &&
    (slot.date < today(zone) || (slots !== undefined && isFree(slots, slot) === false));
  const isUnsure = hold.state === 'expired' || hold.state === 'unheld';
  const bookedId = hold.state === 'booked' ? hold.appointmentId : undefined;
  const warning = isGone ? 'gone' : isUnsure ? hold.state : null;

  return (
    <Card gap={4}>
      <Inline gap={4} align="start" className={styles.doctor}>
        <Avatar name={doctor.name} src={doctor.profilePicture} size={72} />
        <div>
          <p className={styles.name}>{name}</p>
          <p>
            <Trans>
              {specialization}, {fee} per appointment
            </Trans>
          </p>
          <p className="muted">
            {[doctor.hospital.name, locationText(doctor)].filter(Boolean).join(', ')}
          </p>
        </div>
      </Inline>
      {isPicking || !slot ? (
        <Stack className={styles.selection} data-invalid={error ? '' : undefined}>
          <h2 id={fieldId('appointmentTime')} ref={heading} tabIndex={-1}>
            {slot ? t`Choose another time` : t`Choose a date and time`}
          </h2>
          {error && (
            <p className={styles.error}>
              <Trans>
                <span className="visually-hidden">Error: </span>
                {error}
              </Trans>
            </p>
          )}
          {slot && (
            <Button variant="secondary" onClick={booking.cancelChange}>
              <Trans>
                Keep {time}, {dayText}
              </Trans>
            </Button>
          )}
          <SlotPicker
            doctor={doctor}
            day={shownDay}
            onDay={setShownDay}
            selectedSlot={slot}
            holdId={holdId}
            onChoose={(choice) => {
              setShownDay(choice.date);
              booking.choose(choice);
            }}
            // Without free times there is no form: see BookPage.
            emptyState={<p>{t`${name} has no openings right now.`}</p>}
          />
        </Stack>
      ) : (
        <Toolbar rowGap={3} gap={4} className={styles.selected}>
          <div className={styles.time}>
            <h2 ref={heading} tabIndex={-1} id={fieldId('appointmentTime')}>
              <Trans>
                {time}, {dayText}
                <span className="visually-hidden"> with {name}</span>
              </Trans>
            </h2>
            <p className="muted">{timeZoneLabel(slot, zone)}</p>
            <HoldExpiry hold={hold} zone={zone} />
          </div>
          <Button variant="secondary" onClick={booking.startChange}>
            <Trans>
              Change<span className="visually-hidden"> the date or time</span>
            </Trans>
          </Button>
          {(bookedId || warning) && (
            <div className={styles.unavailable} role="status">
              <Suspense fallback={null}>
                <SlotWarning appointmentId={bookedId} warning={warning} />
              </Suspense>
            </div>
          )}
          {hold.state === 'refused' && !booking.unavailable && (
            <div className={styles.unavailable}>
              <LazySlotUnavailable
                isInline
                unavailable={hold}
                timeZone={zone}
                onChoose={booking.choose}
                onMore={booking.startChange}
              >
                <Trans>{slotText} can’t be held for you. What you typed is still here.</Trans>
              </LazySlotUnavailable>
            </div>
          )}
        </Toolbar>
      )}
    </Card>
  );
}
