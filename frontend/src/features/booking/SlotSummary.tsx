import { lazy, Suspense, useState } from 'react';
import type { Doctor } from '@/api/types';
import { placeOf } from '@/domain/doctorFacts';
import { isFree, useFreeSlots } from '@/domain/freeSlots';
import { SlotPicker } from '@/domain/slotPicker/SlotPicker';
import { timeZoneLabel } from '@/domain/timeZoneLabel';
import { formatDay, formatDayTime, today } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { Avatar } from '@/ui/Avatar';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { fieldId } from '@/ui/Field';
import { Inline } from '@/ui/Inline';
import { Stack } from '@/ui/Stack';
import { Toolbar } from '@/ui/Toolbar';
import { HoldExpiry } from './HoldExpiry';
import { holdIdFor } from './hold';
import { LazySlotUnavailable } from './LazySlotUnavailable';
import styles from './SlotSummary.module.css';
import type { Booking } from './useBooking';

// Few lose their time.
const TimeNote = lazy(() => import('./SlotWarning'));

/** With whom, and when: the time chosen, or the picker. */
export function SlotSummary({ doctor, booking }: { doctor: Doctor; booking: Booking }) {
  const { chosen, day, picking, heading, form, keeping } = booking;
  const holdId = holdIdFor(doctor._id);
  const { slots } = useFreeSlots(doctor._id, holdId);
  const [shownDay, setShownDay] = useState(day);
  const zone = doctor.timeZone;
  const error = form.errors.appointmentTime;
  const gone =
    chosen !== null &&
    !form.busy &&
    !form.message &&
    !booking.lost &&
    keeping.state !== 'kept' &&
    !booking.isUnavailable &&
    (chosen.date < today(zone) || (slots !== undefined && isFree(slots, chosen) === false));
  const isUnsure = keeping.state === 'over' || keeping.state === 'unheld';
  const booked = keeping.state === 'booked' ? keeping.appointmentId : undefined;
  const warning = gone ? 'gone' : isUnsure ? keeping.state : null;

  return (
    <Card gap={4}>
      <Inline gap={4} align="start" className={styles.doctor}>
        <Avatar name={doctor.name} src={doctor.profilePicture} size={72} />
        <div>
          <p className={styles.name}>{doctorName(doctor.name)}</p>
          <p>
            {doctor.specialization}, {formatMoney(doctor.consultationFee, doctor.currency)} per
            appointment
          </p>
          <p className="muted">
            {[doctor.hospital.name, placeOf(doctor)].filter(Boolean).join(', ')}
          </p>
        </div>
      </Inline>
      {picking || !chosen ? (
        <Stack className={styles.selection} data-invalid={error ? '' : undefined}>
          <h2 id={fieldId('appointmentTime')} ref={heading} tabIndex={-1}>
            {chosen ? 'Choose another time' : 'Choose a date and time'}
          </h2>
          {error && (
            <p className={styles.error}>
              <span className="visually-hidden">Error: </span>
              {error}
            </p>
          )}
          {chosen && (
            <Button variant="secondary" onClick={booking.keepChoice}>
              Keep {chosen.time}, {formatDay(chosen.date)}
            </Button>
          )}
          <SlotPicker
            doctor={doctor}
            day={shownDay}
            onDay={setShownDay}
            chosen={chosen}
            holdId={holdId}
            onChoose={(slot) => {
              setShownDay(slot.date);
              booking.choose(slot);
            }}
            // A doctor without any free time has no form: see BookPage.
            none={<p>{doctorName(doctor.name)} has no free times at the moment.</p>}
          />
        </Stack>
      ) : (
        <Toolbar rowGap={3} gap={4} className={styles.selected}>
          <div className={styles.time}>
            <h2 ref={heading} tabIndex={-1} id={fieldId('appointmentTime')}>
              {chosen.time}, {formatDay(chosen.date)}
              <span className="visually-hidden"> with {doctorName(doctor.name)}</span>
            </h2>
            <p className="muted">{timeZoneLabel(chosen, zone)}</p>
            <HoldExpiry keeping={keeping} zone={zone} />
          </div>
          <Button variant="secondary" onClick={booking.startChange}>
            Change<span className="visually-hidden"> the date or time</span>
          </Button>
          {(booked || warning) && (
            <div className={styles.unavailable} role="status">
              <Suspense fallback={null}>
                <TimeNote booked={booked} warning={warning} />
              </Suspense>
            </div>
          )}
          {keeping.state === 'refused' && !booking.lost && (
            <div className={styles.unavailable}>
              <LazySlotUnavailable
                aside
                lost={keeping}
                timeZone={zone}
                onChoose={booking.choose}
                onMore={booking.startChange}
              >
                {formatDayTime(chosen.date, chosen.time)} can’t be held for you. What you typed is
                still here.
              </LazySlotUnavailable>
            </div>
          )}
        </Toolbar>
      )}
    </Card>
  );
}
