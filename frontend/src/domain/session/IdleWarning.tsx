import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { messageOf } from '@/api/errors';
import { configQuery } from '@/api/queries';
import { touchSession } from '@/api/session';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { toast } from '@/ui/toasts';
import { useIdleClock } from './idleTimer';
import { useSession } from './session';

/** A dialog two minutes before an idle session ends, dismissed with one click. */
export function IdleWarning({ onTimeout }: { onTimeout: () => void }) {
  const { t } = useLingui();
  const { user } = useSession();
  const { data: config } = useQuery(configQuery);
  const remainingMs = useIdleClock(user ? config?.idleMinutes[user.role] : undefined, onTimeout);
  if (remainingMs === null || !user) return null;

  const stay = () =>
    touchSession().catch((error) =>
      toast.error(messageOf(error, t`We couldn’t keep you signed in`)),
    );
  const minutes = Math.max(1, Math.ceil(remainingMs / 60_000));
  return (
    <Dialog
      role="alertdialog"
      title={t`Are you still there?`}
      onClose={stay}
      actions={
        <Button onClick={stay}>
          <Trans>Stay signed in</Trans>
        </Button>
      }
    >
      <p>
        <Plural
          value={minutes}
          one="To protect your privacy, we’ll sign you out in about # minute."
          other="To protect your privacy, we’ll sign you out in about # minutes."
        />
      </p>
    </Dialog>
  );
}
