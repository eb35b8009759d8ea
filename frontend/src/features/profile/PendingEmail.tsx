import { Trans, useLingui } from '@lingui/react/macro';
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
  const { t } = useLingui();
  const { setUser } = useSession();
  const { email, pendingEmail } = user;
  const resend = useResendLink(user);
  const withdraw = useMutation({
    mutationFn: cancelEmailChange,
    onSuccess: ({ message }) => {
      setUser({ ...user, pendingEmail: null });
      toast.success(message || t`We’ll keep using ${email}`);
    },
    onError: (error) => toast.error(messageOf(error, t`We couldn’t cancel the change`)),
  });
  return (
    <Banner
      tone="info"
      title={pendingEmail ? t`Confirm your new email address` : t`Confirm your email address`}
    >
      <p className={styles.pendingEmail}>
        {pendingEmail ? (
          <Trans>
            We sent an email to <strong>{pendingEmail}</strong>. Open the link in it to switch to
            this address. Until then, you sign in with {email} and we email you there. If the email
            has no link, the address can’t be used.
          </Trans>
        ) : (
          <Trans>
            Open the link we sent to <strong>{email}</strong>, so we know our emails reach you.
          </Trans>
        )}
      </p>
      {!pendingEmail && user.role === 'patient' && (
        <p>{t`Until then, you can have one open request.`}</p>
      )}
      <Inline>
        <Button
          variant="secondary"
          busy={resend.isPending}
          busyLabel={t`Sending...`}
          onClick={() => resend.mutate()}
        >
          {pendingEmail ? t`Send the email again` : t`Send the link again`}
        </Button>
        {pendingEmail && (
          <Button
            variant="secondary"
            busy={withdraw.isPending}
            busyLabel={t`Cancelling...`}
            onClick={() => withdraw.mutate()}
          >
            {t`Keep the old address`}
          </Button>
        )}
      </Inline>
    </Banner>
  );
}
