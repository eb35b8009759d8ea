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
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const form = useForm({
    values: { email: '' },
    validate: ({ email }) => withoutEmpty({ email: checkEmail(email) }),
    submit: async ({ email }) => {
      await requestPasswordReset(email.trim());
      setAskedFor(email.trim());
    },
    message: (error) => messageOf(error, 'We could not send the link'),
  });

  if (askedFor !== null) return <LinkSent email={askedFor} onRetry={() => setAskedFor(null)} />;
  return (
    <Stack gap={5} className="column" data-narrow="">
      <ErrorSummary form={form} />
      <PageHeading lead="Tell us the email address of your account. We send a link there, with which you choose a new password.">
        Forgot your password?
      </PageHeading>
      <Card>
        <Stack as="form" gap={5} noValidate onSubmit={form.onSubmit}>
          <TextInput
            {...form.field('email')}
            label="Email address"
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
          <Button type="submit" wide busy={form.busy} busyLabel="Sending...">
            Send the link
          </Button>
        </Stack>
      </Card>
      <p>
        <Link href={paths.login()}>Back to sign in</Link>
      </p>
    </Stack>
  );
}

/** The same text for unknown addresses, so that it does not reveal who has an account. */
function LinkSent({ email, onRetry }: { email: string; onRetry: () => void }) {
  return (
    <Stack gap={5} className="column" data-narrow="">
      <PageHeading>Look into your mailbox</PageHeading>
      <Card gap={4}>
        <p>
          If <strong className={styles.address}>{email}</strong> belongs to an account, a link is on
          its way there. It works once, for 30 minutes.
        </p>
        <p className="muted">
          Nothing after a few minutes? Look among unwanted mail, and see whether the address is
          spelled right.
        </p>
        <Inline>
          <Button variant="secondary" onClick={onRetry}>
            Try again
          </Button>
          <Link href={paths.login()}>Back to sign in</Link>
        </Inline>
      </Card>
    </Stack>
  );
}
