import { useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { unsubscribe } from '@/api/emailLinks';
import { hasCode, messageOf } from '@/api/errors';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { Button, LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Inline } from '@/ui/Inline';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';

/**
 * The target of the unsubscribe link in emails. Opening the page changes nothing; its button does.
 */
export default function UnsubscribePage() {
  const { t } = useLingui();
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const stop = useMutation({ mutationFn: () => unsubscribe(token) });
  const settings = (
    <LinkButton variant="secondary" href={paths.noticeSettings}>
      {t`Manage notifications`}
    </LinkButton>
  );

  if (!token) {
    return (
      <Stack gap={5} className="column" data-narrow="">
        <PageHeading>{t`This link is incomplete`}</PageHeading>
        <Card gap={4}>
          <p>{t`Sign in to choose which emails you get.`}</p>
          <div>{settings}</div>
        </Card>
      </Stack>
    );
  }
  if (stop.isSuccess) {
    return (
      <Stack key="done" gap={5} className="column" data-narrow="">
        <PageHeading>{t`You’re unsubscribed`}</PageHeading>
        <Card gap={4}>
          <p>{stop.data.message || t`You’ll still get account and cancellation emails.`}</p>
          <p className="muted">{t`You can turn these emails back on at any time.`}</p>
          <div>{settings}</div>
        </Card>
      </Stack>
    );
  }
  return (
    <Stack gap={5} className="column" data-narrow="">
      <PageHeading>{t`Unsubscribe from these emails?`}</PageHeading>
      <Card gap={4}>
        {stop.isError && (
          <div role="alert">
            <Banner tone="error">
              {hasCode(stop.error, 'link_invalid')
                ? t`This link doesn’t work. Sign in to choose which emails you get.`
                : messageOf(stop.error, t`We couldn’t unsubscribe you`)}
            </Banner>
          </div>
        )}
        <p>
          {t`You won’t get emails of this kind anymore. You’ll still get account and cancellation emails.`}
        </p>
        <Inline>
          <Button
            busy={stop.isPending}
            busyLabel={t`Unsubscribing...`}
            onClick={() => stop.mutate()}
          >
            {t`Unsubscribe`}
          </Button>
          {settings}
        </Inline>
      </Card>
    </Stack>
  );
}
