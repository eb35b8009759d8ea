import type { User } from '@/api/types';
import { useResendLink } from '@/domain/session/useResendLink';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { Stack } from '@/ui/Stack';

/** Ask to confirm the email address first; `action` is the button to click afterwards. */
export default function ConfirmEmailFirst({ user, action }: { user: User; action: string }) {
  const resend = useResendLink(user);
  return (
    <Banner tone="info" title="Confirm your email address">
      <Stack>
        <p>
          Open the link we emailed to <strong>{user.pendingEmail ?? user.email}</strong>, then come
          back here and select {action} again. What you typed is still here.
        </p>
        <Inline>
          <Button
            variant="secondary"
            busy={resend.isPending}
            busyLabel="Sending..."
            onClick={() => resend.mutate()}
          >
            Send the link again
          </Button>
        </Inline>
      </Stack>
    </Banner>
  );
}
