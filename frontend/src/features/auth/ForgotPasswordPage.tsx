import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { requestPasswordReset } from '@/api/emailLinks';
import { messageOf } from '@/api/errors';
import { paths } from '@/lib/paths';
import { checkEmail, withoutEmpty } from '@/lib/validate';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';
import { TextInput } from '@/ui/TextInput';
import { useForm } from '@/ui/useForm';
import styles from './auth.module.css';

export default function ForgotPasswordPage() {
  const { t } = useLingui();
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const form = useForm({
    values: { email: '' },
    validate: ({ email }) => withoutEmpty({ email: checkEmail(email) }),
    submit: async ({ email }) => {
      await requestPasswordReset(email.trim());
      setAskedFor(email.trim());
    },
    message: (error) => messageOf(error, t`We couldn’t send the link`),
  });

  if (askedFor !== null) return <LinkSent email={askedFor} onRetry={() => setAskedFor(null)} />;
  return (
    <Stack gap={5} className="column" data-narrow="">
      <ErrorSummary form={form} />
      <PageHeading
        lead={t`Enter the email address of your account. We’ll email you a link to reset your password.`}
      >
        {t`Forgot your password?`}
      </PageHeading>
      <Card>
        <Stack as="form" gap={5} noValidate onSubmit={form.onSubmit}>
          <TextInput
            {...form.field('email')}
            label={t`Email address`}
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
          <Button type="submit" wide busy={form.busy} busyLabel={t`Sending...`}>
            {t`Send link`}
          </Button>
        </Stack>
      </Card>
      <p>
        <Link href={paths.login()}>{t`Back to sign in`}</Link>
      </p>
    </Stack>
  );
}

/** The same text for unknown addresses, so that it does not reveal who has an account. */
function LinkSent({ email, onRetry }: { email: string; onRetry: () => void }) {
  const { t } = useLingui();
  return (
    <Stack gap={5} className="column" data-narrow="">
      <PageHeading>{t`Check your email`}</PageHeading>
      <Card gap={4}>
        <p>
          <Trans>
            If <strong className={styles.address}>{email}</strong> belongs to an account, we’ve sent
            it a link. The link works once and expires in 30 minutes.
          </Trans>
        </p>
        <p className="muted">
          {t`Nothing after a few minutes? Check your spam folder and the spelling of the address.`}
        </p>
        <Inline>
          <Button variant="secondary" onClick={onRetry}>
            {t`Try again`}
          </Button>
          <Link href={paths.login()}>{t`Back to sign in`}</Link>
        </Inline>
      </Card>
    </Stack>
  );
}
