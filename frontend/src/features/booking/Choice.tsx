import { useState } from 'react';
import type { Doctor } from '@/api/types';
import { clockLine } from '@/domain/clockLine';
import { placeOf } from '@/domain/doctorFacts';
import { isFree, useFreeTimes } from '@/domain/freeTimes';
import { SlotPicker } from '@/domain/SlotPicker';
import { formatDay, formatDayTime, today } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { Button, LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Face } from '@/ui/Face';
import { fieldId } from '@/ui/Field';
import { Link } from '@/ui/Link';
import styles from './Choice.module.css';
import { holdIdFor } from './hold';
import { KeptUntil } from './KeptUntil';
import { LostTime } from './LostTime';
import type { Booking } from './useBooking';

/** With whom, and when: the time chosen, or the picker. */
export function Choice({ doctor, booking }: { doctor: Doctor; booking: Booking }) {
  const { chosen, day, picking, heading, form, keeping } = booking;
  const holdId = holdIdFor(doctor._id);
  const { slots } = useFreeTimes(doctor._id, holdId);
  const [shownDay, setShownDay] = useState(day);
  const zone = doctor.timeZone;
  const error = form.errors.appointmentTime;
  const gone =
    chosen !== null &&
    !form.busy &&
    !form.message &&
    !booking.lost &&
    keeping.state !== 'kept' &&
    keeping.state !== 'refused' &&
    keeping.state !== 'booked' &&
    (chosen.date < today(zone) || (slots !== undefined && isFree(slots, chosen) === false));

  return (
    <Card className={styles.choice}>
      <div className={styles.doctor}>
        <Face name={doctor.name} src={doctor.profilePicture} size={72} />
        <div>
          <p className={styles.name}>{doctorName(doctor.name)}</p>
          <p>
            {doctor.specialization}, {formatMoney(doctor.consultationFee, doctor.currency)} a visit
          </p>
          <p className="muted">
            {[doctor.hospital.name, placeOf(doctor)].filter(Boolean).join(', ')}
          </p>
        </div>
      </div>
      {picking || !chosen ? (
        <div className={styles.picking} data-invalid={error ? '' : undefined}>
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
            none={
              <div className="stack">
                <p>{doctorName(doctor.name)} has no free times at the moment.</p>
                <div>
                  <LinkButton variant="secondary" href={paths.doctor(doctor._id)}>
                    What you can do
                  </LinkButton>
                </div>
              </div>
            }
          />
        </div>
      ) : (
        <div className={styles.chosen}>
          <div className={styles.when}>
            <h2 ref={heading} tabIndex={-1} id={fieldId('appointmentTime')}>
              {chosen.time}, {formatDay(chosen.date)}
              <span className="visually-hidden"> with {doctorName(doctor.name)}</span>
            </h2>
            <p className="muted">{clockLine(chosen, zone)}</p>
            <KeptUntil keeping={keeping} zone={zone} />
          </div>
          <Button variant="secondary" onClick={booking.startChange}>
            Change<span className="visually-hidden"> the date or time</span>
          </Button>
          {keeping.state === 'booked' && (
            <div className={styles.gone} role="status">
              <Banner tone="info" title="You have booked this time">
                <p>
                  You need not book it again.{' '}
                  <Link href={paths.patientAppointment(keeping.visitId)}>See this visit</Link>
                </p>
              </Banner>
            </div>
          )}
          {keeping.state === 'refused' && !booking.lost && (
            <div className={styles.gone}>
              <LostTime
                aside
                lost={keeping}
                timeZone={zone}
                onChoose={booking.choose}
                onMore={booking.startChange}
              >
                {formatDayTime(chosen.date, chosen.time)} could not be kept for you. What you typed
                is still here.
              </LostTime>
            </div>
          )}
          {gone && (
            <div className={styles.gone} role="status">
              <Banner tone="warning" title="This time no longer shows as free">
                Press Change to see what is free. If you have just booked it yourself, you find it
                under My appointments.
              </Banner>
            </div>
          )}
        </div>
      )}
    </Card>
  );
}
