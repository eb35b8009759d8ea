import { useLingui } from '@lingui/react/macro';
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
  const { t } = useLingui();
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
    <LinkButton href={paths.profile}>{t`Go to your profile`}</LinkButton>
  ) : (
    <LinkButton href={paths.login()}>{t`Sign in`}</LinkButton>
  );
  const { error } = confirm;
  const refused = error instanceof ApiError && !error.isOutage;
  if (!token || refused) {
    return (
      <InvalidLink action={onwards}>
        {(refused && error.message) ||
          t`Confirmation links expire after a few days, and when you switch to another address.`}
      </InvalidLink>
    );
  }
  if (confirm.isSuccess) {
    return (
      <Stack key="done" gap={5} className="column" data-narrow="">
        <PageHeading>{t`Your email address is confirmed`}</PageHeading>
        <Card gap={4}>
          <p>{t`We’ll email you there from now on, and you’ll sign in with it.`}</p>
          <div>{onwards}</div>
        </Card>
      </Stack>
    );
  }
  return (
    <Stack gap={5} className="column" data-narrow="">
      <PageHeading>{t`Confirm your email address`}</PageHeading>
      <Card gap={4}>
        {error && (
          <div role="alert">
            <Banner tone="error">
              {messageOf(error, t`We couldn’t confirm your email address`)}
            </Banner>
          </div>
        )}
        <p>{t`We sent this link to make sure the address is yours. Confirm to add it to your account.`}</p>
        <div>
          <Button
            busy={confirm.isPending}
            busyLabel={t`Confirming...`}
            onClick={() => confirm.mutate()}
          >
            {t`Confirm this address`}
          </Button>
        </div>
        <p className="muted small">{t`Not you? Close this page and nothing will change.`}</p>
      </Card>
    </Stack>
  );
}
