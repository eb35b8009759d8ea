import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '@/api/errors';
import { unblockTime } from '@/api/schedule';
import type { BlockedTime } from '@/api/types';
import { invalidateSchedule } from '@/domain/schedule/invalidateSchedule';
import { formatDay, formatTime } from '@/lib/dates';
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
  const { t } = useLingui();
  const client = useQueryClient();
  const { reason } = blockedTime;
  const [start, end] = [formatTime(blockedTime.start), formatTime(blockedTime.end)];
  const day = formatDay(date);
  const remove = useMutation({
    mutationFn: () => unblockTime(blockedTime._id),
    onSuccess: () => {
      toast.success(t`Time unblocked. Patients can book it again.`);
      onClose();
    },
    onError: (error) => toast.error(messageOf(error, t`Failed to unblock the time`)),
    onSettled: () => invalidateSchedule(client),
  });
  return (
    <Dialog
      title={t`Blocked time`}
      onClose={onClose}
      actions={
        <>
          <Button
            variant="danger"
            busy={remove.isPending}
            busyLabel={t`Unblocking...`}
            onClick={() => remove.mutate()}
          >
            <Trans>Unblock</Trans>
          </Button>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Keep it blocked</Trans>
          </Button>
        </>
      }
    >
      <p>
        <Trans>
          {day}, {start} to {end}. Nobody can book these hours.
        </Trans>
      </p>
      {reason && (
        <p>
          <Trans>Reason: {reason}</Trans>
        </p>
      )}
    </Dialog>
  );
}
