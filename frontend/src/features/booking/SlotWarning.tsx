import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { Link } from '@/ui/Link';

/** `expired`: the hold has ended. `unheld`: there can be none. `gone`: the time is no longer in the list. */
export type Warning = 'expired' | 'unheld' | 'gone';

const TEXTS: Record<Warning, [title: string, text: string]> = {
  expired: [
    'We’re no longer holding this time for you',
    'You can still book it if nobody else has. What you typed is still here.',
  ],
  unheld: [
    'We can’t hold this time for you right now',
    'It’s still free, and you can book it if nobody else does first.',
  ],
  gone: [
    'This time is no longer shown as free',
    'Select Change to see which times are free. If you’ve just booked it yourself, it’s under My appointments.',
  ],
};

interface Props {
  /** The user's own appointment at this time. */
  appointmentId?: string;
  warning: Warning | null;
}

/** A warning about the selected time. */
export default function SlotWarning({ appointmentId, warning }: Props) {
  if (appointmentId) {
    return (
      <Banner tone="info" title="You’ve already booked this">
        <Link href={paths.patientAppointment(appointmentId)}>View appointment</Link>
      </Banner>
    );
  }
  if (!warning) return null;
  const [title, text] = TEXTS[warning];
  return (
    <Banner tone="warning" title={title}>
      {text}
    </Banner>
  );
}
