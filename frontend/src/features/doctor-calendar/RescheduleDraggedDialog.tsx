import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { appointmentQuery } from '@/api/queries';
import { RescheduleDialog } from '@/domain/appointment/doctor/RescheduleDialog';
import type { Slot } from '@/domain/freeSlots';
import { Dialog } from '@/ui/Dialog';
import { ErrorState } from '@/ui/ErrorState';
import { Skeleton, Skeletons } from '@/ui/Skeleton';

interface Props {
  id: string;
  /** The drop position. */
  slot: Slot;
  /** The conflict at that position. */
  conflict: string | null;
  onClose: () => void;
}

/** Reschedule a dragged appointment, with the new time filled in. */
export function RescheduleDraggedDialog({ id, slot, conflict, onClose }: Props) {
  const { t } = useLingui();
  const { data: appointment, isLoadingError, isFetching, refetch } = useQuery(appointmentQuery(id));
  if (appointment) {
    return (
      <RescheduleDialog
        appointment={appointment}
        initialSlot={slot}
        conflict={conflict}
        onDone={() => {}}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title={t`Reschedule`} onClose={onClose}>
      {isLoadingError ? (
        <ErrorState
          title={t`We couldn’t load this appointment`}
          onRetry={() => refetch()}
          busy={isFetching}
        />
      ) : (
        <Skeletons count={2}>
          <Skeleton height={48} />
        </Skeletons>
      )}
    </Dialog>
  );
}
