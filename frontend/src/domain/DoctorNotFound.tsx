import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';

/** The address leads to nobody who takes bookings. */
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
