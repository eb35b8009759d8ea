import type { Appointment } from '@/api/types';
import { Button } from '@/ui/Button';
import { useCancelVisit } from './useCancelVisit';

interface Props {
  visit: Appointment;
  /** Afterwards the button is gone, so focus needs another place. */
  onCancelled: () => void;
}

export function CancelButton({ visit, onCancelled }: Props) {
  const { ask, busy } = useCancelVisit();
  return (
    <Button
      variant="danger"
      busy={busy}
      busyLabel="Cancelling..."
      onClick={async () => {
        if (await ask(visit)) onCancelled();
      }}
    >
      Cancel Appointment
    </Button>
  );
}
