import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '@/api/errors';
import { unblockTime } from '@/api/schedule';
import type { BlockedTime } from '@/api/types';
import { invalidateSchedule } from '@/domain/schedule/invalidateSchedule';
import { formatDay } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { toast } from '@/ui/toasts';

interface Props {
  date: string;
  blockedTime: BlockedTime;
  onClose: () => void;
}

/** Blocked time, with a button to unblock it. */
export function BlockedDialog({ date, blockedTime, onClose }: Props) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => unblockTime(blockedTime._id),
    onSuccess: () => {
      toast.success('Time unblocked. Patients can book it again.');
      onClose();
    },
    onError: (error) => toast.error(messageOf(error, 'Failed to unblock the time')),
    onSettled: () => invalidateSchedule(client),
  });
  return (
    <Dialog
      title="Blocked time"
      onClose={onClose}
      actions={
        <>
          <Button
            variant="danger"
            busy={remove.isPending}
            busyLabel="Unblocking..."
            onClick={() => remove.mutate()}
          >
            Unblock
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Keep it blocked
          </Button>
        </>
      }
    >
      <p>
        {formatDay(date)}, {blockedTime.start} to {blockedTime.end}. Nobody can book these hours.
      </p>
      {blockedTime.reason && <p>Reason: {blockedTime.reason}</p>}
    </Dialog>
  );
}
