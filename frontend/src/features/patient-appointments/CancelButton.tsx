import type { Appointment } from '@/api/types';
import { formatDayTime } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { Button } from '@/ui/Button';
import { useCancelAppointment } from './useCancelAppointment';

interface Props {
  appointment: Appointment;
  /** The button disappears afterwards, so move the focus. */
  onCancelled: () => void;
}

export function CancelButton({ appointment, onCancelled }: Props) {
  const { ask, busy } = useCancelAppointment();
  const { doctor, appointmentDate, appointmentTime } = appointment;
  return (
    <Button
      variant="danger"
      busy={busy}
      busyLabel="Cancelling..."
      onClick={async () => {
        if (await ask(appointment)) onCancelled();
      }}
    >
      Cancel Appointment
      <span className="visually-hidden">
        {' '}
        with {doctorName(doctor.name)}, {formatDayTime(appointmentDate, appointmentTime)}
      </span>
    </Button>
  );
}
