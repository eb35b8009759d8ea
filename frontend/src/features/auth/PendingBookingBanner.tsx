import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { doctorQuery } from '@/api/queries';
import type { Doctor } from '@/api/types';
import { activeHoldTime } from '@/domain/activeHold';
import type { Slot } from '@/domain/freeSlots';
import { timeZoneLabel } from '@/domain/timeZoneLabel';
import { browserZone, formatDay, formatTime, inZone, isDate, viewerClock } from '@/lib/dates';
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
  /** What is needed to book. */
  action: 'sign-in' | 'register';
}

/** Explain why signing in is required to book the selected time. */
export function PendingBookingBanner({ choice, action }: Props) {
  const { data: doctor } = useQuery(doctorQuery(choice.doctorId));
  const hold = activeHoldTime(choice, useNow(5_000));
  if (!doctor) return null;
  return (
    <>
      <Banner tone="info">
        {reasonText(action, choice, doctor)}
        {hold && !hold.isOver && ` ${holdText(hold.until, doctor.timeZone)}`}
      </Banner>
      <div role="status">
        {hold?.isOver && (
          <Banner tone="warning">
            {t`We’re no longer holding this time. You can still book it if nobody else has.`}
          </Banner>
        )}
      </div>
    </>
  );
}

function reasonText(action: Props['action'], choice: BookingChoice, doctor: Doctor): string {
  const time = formatTime(choice.time);
  const day = formatDay(choice.date);
  const zone = timeZoneLabel(choice, doctor.timeZone);
  const name = doctorName(doctor.name);
  return action === 'sign-in'
    ? t`Sign in to book ${time}, ${day} (${zone}) with ${name}.`
    : t`Create an account to book ${time}, ${day} (${zone}) with ${name}.`;
}

function holdText(until: string, zone: string): string {
  const time = formatTime(inZone(until, browserZone()).time);
  return viewerClock(until, zone)
    ? t`We’re holding this time until ${time} your time.`
    : t`We’re holding this time until ${time}.`;
}
