import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { ApiError, messageOf } from '@/api/errors';
import { resetPassword } from '@/api/links';
import { configQuery } from '@/api/queries';
import { useSession } from '@/domain/session/session';
import { paths } from '@/lib/paths';
import { Button, LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { PasswordInput } from '@/ui/inputs';
import { PageHeading } from '@/ui/PageHeading';
import { useForm } from '@/ui/useForm';
import styles from './auth.module.css';
import { DeadLink } from './DeadLink';
import { checkNewPassword } from './newPassword';

/** Where the mailed link leads. Nothing happens until the form is sent. */
export default function ResetPasswordPage() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const [dead, setDead] = useState(!token);
  const minLength = useQuery(configQuery).data?.passwordMinLength ?? 6;
  const session = useSession();
  const navigate = useNavigate();

  const form = useForm({
    values: { newPassword: '', confirmPassword: '' },
    validate: (values) => checkNewPassword(values, minLength),
    submit: async ({ newPassword }) => {
      try {
        await resetPassword({ token, newPassword });
      } catch (error) {
        if (isDead(error)) setDead(true);
        throw error;
      }
      // Every session of the account has ended, this browser's too where it was the same person's.
      session.leave();
      navigate(paths.login({ reset: 1 }), { replace: true });
    },
    message: (error) => messageOf(error, 'Failed to change the password'),
  });

  if (dead) {
    return (
      <DeadLink action={<LinkButton href={paths.forgotPassword}>Ask for a new link</LinkButton>}>
        It works once, for 30 minutes after you asked for it.
      </DeadLink>
    );
  }
  return (
    <div className={styles.column}>
      <ErrorSummary form={form} />
      <PageHeading lead="You are then signed out everywhere, and sign in with the new one.">
        Choose a new password
      </PageHeading>
      <Card>
        <form className="stack" data-gap="5" noValidate onSubmit={form.onSubmit}>
          <PasswordInput
            {...form.field('newPassword')}
            label="New password"
            hint={`At least ${minLength} characters.`}
            autoComplete="new-password"
          />
          <PasswordInput
            {...form.field('confirmPassword')}
            label="New password again"
            autoComplete="new-password"
          />
          <Button type="submit" wide busy={form.busy} busyLabel="Saving...">
            Save the new password
          </Button>
        </form>
      </Card>
    </div>
  );
}

/** The link itself is refused, not what was typed. */
function isDead(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'link_invalid' || 'token' in error.errors);
}
