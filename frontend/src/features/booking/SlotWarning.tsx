import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { Link } from '@/ui/Link';

/** `expired`: the hold has ended. `unheld`: there can be none. `gone`: the time is no longer in the list. */
export type Warning = 'expired' | 'unheld' | 'gone';

const TEXTS: Record<Warning, [title: MessageDescriptor, text: MessageDescriptor]> = {
  expired: [
    msg`We’re no longer holding this time for you`,
    msg`You can still book it if nobody else has. What you typed is still here.`,
  ],
  unheld: [
    msg`We can’t hold this time for you right now`,
    msg`It’s still open, and you can book it if nobody else does first.`,
  ],
  gone: [
    msg`This time is no longer open`,
    msg`Select Change to see other openings. If you just booked it yourself, it’s under My appointments.`,
  ],
};

interface Props {
  /** The user's own appointment at this time. */
  appointmentId?: string;
  warning: Warning | null;
}

/** A warning about the selected time. */
export default function SlotWarning({ appointmentId, warning }: Props) {
  const { t } = useLingui();
  if (appointmentId) {
    return (
      <Banner tone="info" title={t`You’ve already booked this`}>
        <Link href={paths.patientAppointment(appointmentId)}>{t`View appointment`}</Link>
      </Banner>
    );
  }
  if (!warning) return null;
  const [title, text] = TEXTS[warning];
  return (
    <Banner tone="warning" title={t(title)}>
      {t(text)}
    </Banner>
  );
}
