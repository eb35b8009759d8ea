import { useQuery } from '@tanstack/react-query';
import { appointmentQuery } from '@/api/queries';
import type { Slot } from '@/domain/freeTimes';
import { ProposeDialog } from '@/domain/visit/doctor/ProposeDialog';
import { Dialog } from '@/ui/Dialog';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/states';

interface Props {
  id: string;
  /** Where the visit was dropped. */
  slot: Slot;
  /** What is in the way there. */
  obstacle: string | null;
  onClose: () => void;
}

/** A visit that was dragged: the time is filled in, and the patient is asked. */
export function MoveDialog({ id, slot, obstacle, onClose }: Props) {
  const { data: visit, isLoadingError, isFetching, refetch } = useQuery(appointmentQuery(id));
  if (visit) {
    return (
      <ProposeDialog
        visit={visit}
        wanted={slot}
        obstacle={obstacle}
        onDone={() => {}}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title="Propose another time" onClose={onClose}>
      {isLoadingError ? (
        <ErrorState
          title="We could not load this visit"
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
