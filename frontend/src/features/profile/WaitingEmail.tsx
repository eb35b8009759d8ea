import { useMutation } from '@tanstack/react-query';
import { resendLink, withdrawEmail } from '@/api/email';
import { hasCode, messageOf } from '@/api/errors';
import type { User } from '@/api/types';
import { useSession } from '@/domain/session/session';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { notify } from '@/ui/notices';
import styles from './profile.module.css';

/**
 * An address waits until the link that was mailed to it is used: a new one, which can be taken back, or else
 * the one in use. The link can be mailed once more.
 */
export default function WaitingEmail({ user }: { user: User }) {
  const { setUser, retry } = useSession();
  const { email, pendingEmail } = user;
  const resend = useMutation({
    mutationFn: () => resendLink(pendingEmail !== null),
    onSuccess: ({ message }) => notify.success(message || 'The link is on its way'),
    onError: (error) => {
      notify.error(messageOf(error, 'Failed to send the link'));
      // Settled meanwhile, in another window perhaps.
      if (hasCode(error, 'email_confirmed', 'no_pending_email')) retry();
    },
  });
  const withdraw = useMutation({
    mutationFn: withdrawEmail,
    onSuccess: ({ message }) => {
      setUser({ ...user, pendingEmail: null });
      notify.success(message || `Your address stays ${email}`);
    },
    onError: (error) => notify.error(messageOf(error, 'Failed to withdraw the new address')),
  });
  return (
    <Banner
      tone="info"
      title={
        pendingEmail
          ? 'A new e-mail address waits for you to confirm it'
          : 'Your e-mail address is not confirmed yet'
      }
    >
      <p className={styles.waiting}>
        Open the link that we sent to <strong>{pendingEmail ?? email}</strong>.{' '}
        {pendingEmail
          ? `Until then you sign in with ${email}, and we write there.`
          : 'Then we both know that what we write reaches you.'}
      </p>
      <div className="row">
        <Button
          variant="secondary"
          busy={resend.isPending}
          busyLabel="Sending..."
          onClick={() => resend.mutate()}
        >
          Send the link again
        </Button>
        {pendingEmail && (
          <Button
            variant="secondary"
            busy={withdraw.isPending}
            busyLabel="Withdrawing..."
            onClick={() => withdraw.mutate()}
          >
            Keep the old address
          </Button>
        )}
      </div>
    </Banner>
  );
}
