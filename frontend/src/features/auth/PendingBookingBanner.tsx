import { useQuery } from '@tanstack/react-query';
import { doctorQuery } from '@/api/queries';
import { activeHoldTime } from '@/domain/activeHold';
import type { Slot } from '@/domain/freeSlots';
import { timeZoneLabel } from '@/domain/timeZoneLabel';
import { browserZone, formatDay, inZone, isDate, viewerClock } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { Banner } from '@/ui/Banner';
import { useNow } from '@/ui/useNow';

const BOOKING_PATH = /^\/patient\/book-appointment\/([\w-]+)$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

interface BookingChoice extends Slot {
  doctorId: string;
}

/** Parse the selected time from a booking path; null for other paths. */
export function parseBookingPath(next: string | null): BookingChoice | null {
  if (!next) return null;
  const { pathname, searchParams } = new URL(next, window.location.origin);
  const doctorId = BOOKING_PATH.exec(pathname)?.[1];
  const date = searchParams.get('date') ?? '';
  const time = searchParams.get('time') ?? '';
  return doctorId && isDate(date) && TIME.test(time) ? { doctorId, date, time } : null;
}

interface Props {
  choice: BookingChoice;
  /** "Sign in" or "Register". */
  action: string;
}

/** Explain why signing in is required to book the selected time. */
export function PendingBookingBanner({ choice, action }: Props) {
  const { data: doctor } = useQuery(doctorQuery(choice.doctorId));
  const hold = activeHoldTime(choice, useNow(5_000));
  if (!doctor) return null;
  const { timeZone } = doctor;
  return (
    <>
      <Banner tone="info">
        {action} to book {choice.time}, {formatDay(choice.date)} ({timeZoneLabel(choice, timeZone)})
        with {doctorName(doctor.name)}.
        {hold && !hold.isOver && (
          <>
            {' '}
            We’re holding this time until {inZone(hold.until, browserZone()).time}
            {viewerClock(hold.until, timeZone) && ' your time'}.
          </>
        )}
      </Banner>
      <div role="status">
        {hold?.isOver && (
          <Banner tone="warning">
            We’re no longer holding this time. You can still book it if nobody else has.
          </Banner>
        )}
      </div>
    </>
  );
}
