import { Trans, useLingui } from '@lingui/react/macro';
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
  const { t } = useLingui();
  const { ask, busy } = useCancelAppointment();
  const name = doctorName(appointment.doctor.name);
  const when = formatDayTime(appointment.appointmentDate, appointment.appointmentTime);
  return (
    <Button
      variant="danger"
      busy={busy}
      busyLabel={t`Cancelling...`}
      onClick={async () => {
        if (await ask(appointment)) onCancelled();
      }}
    >
      <Trans>
        Cancel Appointment
        <span className="visually-hidden">
          {' '}
          with {name}, {when}
        </span>
      </Trans>
    </Button>
  );
}
