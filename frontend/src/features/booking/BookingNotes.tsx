import type { Doctor } from '@/api/types';
import { doctorName } from '@/lib/names';
import { Banner } from '@/ui/Banner';
import { Stack } from '@/ui/Stack';
import { Textarea } from '@/ui/Textarea';
import type { Booking } from './useBooking';
import type { ClearReason } from './useDraft';

const CLEARED_TEXTS: Record<ClearReason, string> = {
  'signed-out':
    'You’ve been signed out, so what you typed is not shown any more. Sign in again to get it back.',
  'other-account':
    'Another account signed in to this browser, so what was typed here before has been cleared.',
};

/** The notes for the doctor. */
export function BookingNotes({ doctor, booking }: { doctor: Doctor; booking: Booking }) {
  const name = doctorName(doctor.name);
  return (
    <Stack gap={5}>
      {booking.clearReason && (
        <div role="status">
          <Banner tone="warning">{CLEARED_TEXTS[booking.clearReason]}</Banner>
        </div>
      )}
      <p className="muted">
        This helps {name} prepare. You and {name} can read it. Our staff can’t, except a few with
        special permission, and your appointment page lists everyone who opened it.
      </p>
      <Textarea
        {...booking.field('symptoms')}
        label="Symptoms"
        hint="What brings you here, and since when?"
        optional
        rows={4}
      />
      <Textarea
        {...booking.field('notes')}
        label="Additional notes"
        hint={`Anything else ${name} should know: medicines, allergies, help you need on the day.`}
        optional
        rows={3}
      />
    </Stack>
  );
}
