import { Trans } from '@lingui/react/macro';
import type { Appointment, Role } from '@/api/types';
import { Badge } from '@/ui/Badge';
import { ClockIcon, CloseIcon } from '@/ui/icons';
import { StatusBadge } from './StatusBadge';

/** An appointment's status, including the patient's own request to cancel and its refusal. */
export function AppointmentBadge({
  appointment,
  reader,
}: {
  appointment: Appointment;
  reader: Role;
}) {
  if (reader === 'patient' && appointment.status === 'confirmed' && appointment.cancelRequest) {
    return (
      <Badge tone="amber" icon={<ClockIcon size={18} />}>
        <Trans>Cancellation requested</Trans>
      </Badge>
    );
  }
  if (reader === 'patient' && appointment.declined) {
    return (
      <Badge tone="neutral" icon={<CloseIcon size={18} />}>
        <Trans context="status of an appointment">Declined</Trans>
      </Badge>
    );
  }
  return <StatusBadge status={appointment.status} attended={appointment.attended} />;
}
