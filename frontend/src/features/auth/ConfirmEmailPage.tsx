import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { confirmEmail } from '@/api/emailLinks';
import { ApiError, messageOf } from '@/api/errors';
import { useSession } from '@/domain/session/session';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { Button, LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';
import { InvalidLink } from './InvalidLink';

/** The target of the emailed confirmation link; requires a click, because mail scanners open links too. */
export default function ConfirmEmailPage() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const client = useQueryClient();
  const { user } = useSession();
  const confirm = useMutation({
    mutationFn: () => confirmEmail(token),
    // Somebody else may be signed in here: ask first.
    onSuccess: () => client.invalidateQueries({ queryKey: ['profile'] }),
  });

  const onwards = user ? (
    <LinkButton href={paths.profile}>See your profile</LinkButton>
  ) : (
    <LinkButton href={paths.login()}>Sign in</LinkButton>
  );
  const { error } = confirm;
  const refused = error instanceof ApiError && !error.isOutage;
  if (!token || refused) {
    return (
      <InvalidLink action={onwards}>
        {(refused && error.message) ||
          'It ends after some days, and as soon as another address is asked for.'}
      </InvalidLink>
    );
  }
  if (confirm.isSuccess) {
    return (
      <Stack key="done" gap={5} className="column" data-narrow="">
        <PageHeading>Your email address is confirmed</PageHeading>
        <Card gap={4}>
          <p>From now on we write to it, and you sign in with it.</p>
          <div>{onwards}</div>
        </Card>
      </Stack>
    );
  }
  return (
    <Stack gap={5} className="column" data-narrow="">
      <PageHeading title="Confirm your email address">Confirm your address</PageHeading>
      <Card gap={4}>
        {error && (
          <div role="alert">
            <Banner tone="error">{messageOf(error, 'We could not confirm the address')}</Banner>
          </div>
        )}
        <p>
          We sent this link to make sure that the address is yours. With one press it belongs to
          your account.
        </p>
        <div>
          <Button
            busy={confirm.isPending}
            busyLabel="Confirming..."
            onClick={() => confirm.mutate()}
          >
            Confirm this address
          </Button>
        </div>
        <p className="muted small">Not you? Close this page; nothing changes.</p>
      </Card>
    </Stack>
  );
}
