import { Trans, useLingui } from '@lingui/react/macro';
import type { User } from '@/api/types';
import { useResendLink } from '@/domain/session/useResendLink';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { Stack } from '@/ui/Stack';

/** Ask to confirm the email address first; `action` is the button to click afterwards. */
export default function ConfirmEmailFirst({ user, action }: { user: User; action: string }) {
  const { t } = useLingui();
  const email = user.pendingEmail ?? user.email;
  const resend = useResendLink(user);
  return (
    <Banner tone="info" title={t`Confirm your email address`}>
      <Stack>
        <p>
          <Trans>
            Open the link we emailed to <strong>{email}</strong>, then come back here and select{' '}
            {action} again. What you typed is still here.
          </Trans>
        </p>
        <Inline>
          <Button
            variant="secondary"
            busy={resend.isPending}
            busyLabel={t`Sending...`}
            onClick={() => resend.mutate()}
          >
            <Trans>Send the link again</Trans>
          </Button>
        </Inline>
      </Stack>
    </Banner>
  );
}
