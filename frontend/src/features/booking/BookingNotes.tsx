import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Doctor } from '@/api/types';
import { doctorName } from '@/lib/names';
import { Banner } from '@/ui/Banner';
import { Stack } from '@/ui/Stack';
import { Textarea } from '@/ui/Textarea';
import type { Booking } from './useBooking';
import type { ClearReason } from './useDraft';

const CLEARED_TEXTS: Record<ClearReason, MessageDescriptor> = {
  'signed-out': msg`You’ve been signed out, so what you typed is hidden. Sign in again to get it back.`,
  'other-account': msg`Another account signed in on this browser, so we cleared what was typed here before.`,
};

/** The notes for the doctor. */
export function BookingNotes({ doctor, booking }: { doctor: Doctor; booking: Booking }) {
  const { t } = useLingui();
  const name = doctorName(doctor.name);
  return (
    <Stack gap={5}>
      {booking.clearReason && (
        <div role="status">
          <Banner tone="warning">{t(CLEARED_TEXTS[booking.clearReason])}</Banner>
        </div>
      )}
      <p className="muted">
        <Trans>
          This helps {name} prepare. You and {name} can read it. Our staff can’t, except a few with
          special permission, and your appointment page lists everyone who opened it.
        </Trans>
      </p>
      <Textarea
        {...booking.field('symptoms')}
        label={t`Symptoms`}
        hint={t`What brings you in, and when did it start?`}
        optional
        rows={4}
      />
      <Textarea
        {...booking.field('notes')}
        label={t`Additional notes`}
        hint={t`Anything else ${name} should know: medicines, allergies, help you need on the day.`}
        optional
        rows={3}
      />
    </Stack>
  );
}
