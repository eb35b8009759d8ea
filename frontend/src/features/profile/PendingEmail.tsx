import { useMutation } from '@tanstack/react-query';
import { cancelEmailChange } from '@/api/email';
import { messageOf } from '@/api/errors';
import type { User } from '@/api/types';
import { useSession } from '@/domain/session/session';
import { useResendLink } from '@/domain/session/useResendLink';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { toast } from '@/ui/toasts';
import styles from './profile.module.css';

/**
 * An unconfirmed address: a new one, whose change can be cancelled, or the current one. The
 * confirmation link can be emailed again.
 */
export default function PendingEmail({ user }: { user: User }) {
  const { setUser } = useSession();
  const { email, pendingEmail } = user;
  const resend = useResendLink(user);
  const withdraw = useMutation({
    mutationFn: cancelEmailChange,
    onSuccess: ({ message }) => {
      setUser({ ...user, pendingEmail: null });
      toast.success(message || `Your address stays ${email}`);
    },
    onError: (error) => toast.error(messageOf(error, 'Failed to withdraw the new address')),
  });
  return (
    <Banner
      tone="info"
      title={
        pendingEmail
          ? 'A new email address waits for you to confirm it'
          : 'Your email address is not confirmed yet'
      }
    >
      <p className={styles.pendingEmail}>
        {pendingEmail ? (
          <>
            We sent an email to <strong>{pendingEmail}</strong>. Open the link in it to switch to
            this address. Until then you sign in with {email}, and we write there. If the email has
            no link, the address can’t be used.
          </>
        ) : (
          <>
            Open the link that we sent to <strong>{email}</strong>. That way we know our emails
            reach you.{user.role === 'patient' && ' Until then, you can have one open request.'}
          </>
        )}
      </p>
      <Inline>
        <Button
          variant="secondary"
          busy={resend.isPending}
          busyLabel="Sending..."
          onClick={() => resend.mutate()}
        >
          {pendingEmail ? 'Send the email again' : 'Send the link again'}
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
      </Inline>
    </Banner>
  );
}
