import { useMutation, useQueryClient } from '@tanstack/react-query';
import { unblockTime } from '@/api/desk';
import { messageOf } from '@/api/errors';
import type { BlockedTime } from '@/api/types';
import { formatDay } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { notify } from '@/ui/notices';
import { forgetHours } from './forgetHours';

interface Props {
  date: string;
  blocked: BlockedTime;
  onClose: () => void;
}

/** Blocked time, and the way to open it again. */
export function BlockedDialog({ date, blocked, onClose }: Props) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => unblockTime(blocked._id),
    onSuccess: () => {
      notify.success('Time opened again');
      onClose();
    },
    onError: (error) => notify.error(messageOf(error, 'Failed to open the time again')),
    onSettled: () => forgetHours(client),
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
            busyLabel="Opening..."
            onClick={() => remove.mutate()}
          >
            Open it again
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Keep it blocked
          </Button>
        </>
      }
    >
      <p>
        {formatDay(date)}, {blocked.start} to {blocked.end}. Nobody can book these hours.
      </p>
      {blocked.reason && <p>Reason: {blocked.reason}</p>}
    </Dialog>
  );
}
