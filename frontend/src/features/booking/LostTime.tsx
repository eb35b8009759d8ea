import { useEffect, useRef } from 'react';
import type { Doctor } from '@/api/types';
import { ownClock, type Slot } from '@/domain/freeTimes';
import { formatDayTime } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Button } from '@/ui/Button';
import { Link } from '@/ui/Link';
import { markTitle } from '@/ui/title';
import styles from './LostTime.module.css';
import type { Lost } from './useBooking';

const TITLES: Record<string, string> = {
  slot_taken: 'Sorry, this time has just been taken',
  time_not_offered: 'Sorry, this time is not offered any more',
  patient_busy: 'You already have a visit at this time',
};

/** A time that cannot be had: what happened, and the nearest free ones, one press away. */
export function LostTime({
  lost,
  doctor,
  onChoose,
  onMore,
}: {
  lost: Lost;
  doctor: Doctor;
  onChoose: (slot: Slot) => void;
  onMore: () => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a second loss is told anew.
  useEffect(() => {
    markTitle(true);
    box.current?.focus();
    return () => markTitle(false);
  }, [lost]);

  const { slot, alternatives } = lost;
  return (
    <div ref={box} className={styles.lost} role="alert" tabIndex={-1}>
      <h2>{TITLES[lost.code] ?? lost.message}</h2>
      <p>
        {formatDayTime(slot.date, slot.time)} with {doctorName(doctor.name)} was not booked. What
        you typed is still here.
        {lost.code === 'patient_busy' && (
          <>
            {' '}
            <Link href={paths.patientAppointments()}>See your appointments</Link>
          </>
        )}
      </p>
      {alternatives.length > 0 && (
        <>
          <p className={styles.label}>The nearest free times:</p>
          <ul className={styles.times}>
            {alternatives.map(({ date, time }) => {
              const own = ownClock({ date, time }, doctor.timeZone);
              return (
                <li key={date + time}>
                  <Button variant="secondary" onClick={() => onChoose({ date, time })}>
                    {formatDayTime(date, time)}
                    {own && ` (${own} your time)`}
                  </Button>
                </li>
              );
            })}
          </ul>
        </>
      )}
      <Button variant="quiet" className={styles.more} onClick={onMore}>
        Show all free times
      </Button>
    </div>
  );
}
