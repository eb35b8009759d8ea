import { useQuery } from '@tanstack/react-query';
import { doctorQuery } from '@/api/queries';
import { clockLine } from '@/domain/clockLine';
import type { Slot } from '@/domain/freeTimes';
import { keptUntil } from '@/domain/keptTime';
import { browserZone, formatDay, inZone, isDate, ownTime } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { Banner } from '@/ui/Banner';
import { useNow } from '@/ui/useNow';

const BOOKING = /^\/patient\/book-appointment\/([\w-]+)$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

interface Choice extends Slot {
  doctorId: string;
}

/** The chosen time that an address books; null for any other address. */
export function choiceIn(next: string | null): Choice | null {
  if (!next) return null;
  const { pathname, searchParams } = new URL(next, window.location.origin);
  const doctorId = BOOKING.exec(pathname)?.[1];
  const date = searchParams.get('date') ?? '';
  const time = searchParams.get('time') ?? '';
  return doctorId && isDate(date) && TIME.test(time) ? { doctorId, date, time } : null;
}

interface Props {
  choice: Choice;
  /** "Sign in" or "Register". */
  act: string;
}

/** Why one is asked who one is, on the way from a chosen time to its booking. */
export function BookingAhead({ choice, act }: Props) {
  const { data: doctor } = useQuery(doctorQuery(choice.doctorId));
  const until = keptUntil(choice, useNow(5_000));
  if (!doctor) return null;
  const { timeZone } = doctor;
  return (
    <Banner tone="info">
      {act} to book {choice.time}, {formatDay(choice.date)} ({clockLine(choice, timeZone)}) with{' '}
      {doctorName(doctor.name)}.
      {until && (
        <>
          {' '}
          Your time is kept until {inZone(until, browserZone()).time}
          {ownTime(until, timeZone) && ' your time'}.
        </>
      )}
    </Banner>
  );
}
