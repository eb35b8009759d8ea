import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';

/** Shown if no bookable doctor exists at this URL. */
export function DoctorNotFound() {
  return (
    <EmptyState
      title="Doctor not found or unavailable."
      action={<LinkButton href={paths.findDoctors()}>Find another doctor</LinkButton>}
    >
      The link may be old, or this doctor takes no bookings here at the moment.
    </EmptyState>
  );
}
