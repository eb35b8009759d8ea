import { useMutation } from '@tanstack/react-query';
import { messageOf } from '@/api/errors';
import { withdrawEmail } from '@/api/notices';
import type { User } from '@/api/types';
import { useSession } from '@/domain/session/session';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { notify } from '@/ui/notices';
import styles from './profile.module.css';

/** Another address waits until the link that was mailed to it is used; it can be taken back. */
export default function WaitingEmail({ user, email }: { user: User; email: string }) {
  const { setUser } = useSession();
  const withdraw = useMutation({
    mutationFn: withdrawEmail,
    onSuccess: ({ message }) => {
      setUser({ ...user, pendingEmail: null });
      notify.success(message || `Your address stays ${user.email}`);
    },
    onError: (error) => notify.error(messageOf(error, 'Failed to withdraw the new address')),
  });
  return (
    <Banner tone="info" title="A new e-mail address waits for you to confirm it">
      <p className={styles.waiting}>
        Open the link that we sent to <strong>{email}</strong>. Until then you sign in with{' '}
        {user.email}, and we write there.
      </p>
      <Button
        variant="secondary"
        busy={withdraw.isPending}
        busyLabel="Withdrawing..."
        onClick={() => withdraw.mutate()}
      >
        Keep the old address
      </Button>
    </Banner>
  );
}
