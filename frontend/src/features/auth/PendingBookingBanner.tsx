import { useQuery } from '@tanstack/react-query';
import { doctorQuery } from '@/api/queries';
import { activeHoldTime } from '@/domain/activeHold';
import type { Slot } from '@/domain/freeSlots';
import { timeZoneLabel } from '@/domain/timeZoneLabel';
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

/** Why sign-in comes between a chosen time and its booking. */
export function PendingBookingBanner({ choice, act }: Props) {
  const { data: doctor } = useQuery(doctorQuery(choice.doctorId));
  const held = activeHoldTime(choice, useNow(5_000));
  if (!doctor) return null;
  const { timeZone } = doctor;
  return (
    <>
      <Banner tone="info">
        {act} to book {choice.time}, {formatDay(choice.date)} ({timeZoneLabel(choice, timeZone)})
        with {doctorName(doctor.name)}.
        {held && !held.isOver && (
          <>
            {' '}
            We’re holding this time until {inZone(held.until, browserZone()).time}
            {ownTime(held.until, timeZone) && ' your time'}.
          </>
        )}
      </Banner>
      <div role="status">
        {held?.isOver && (
          <Banner tone="warning">
            We’re no longer holding this time. You can still book it if nobody else has.
          </Banner>
        )}
      </div>
    </>
  );
}
