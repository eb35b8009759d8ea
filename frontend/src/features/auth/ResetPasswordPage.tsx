import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { checkResetLink, resetPassword } from '@/api/emailLinks';
import { ApiError, messageOf } from '@/api/errors';
import { configQuery } from '@/api/queries';
import { useSession } from '@/domain/session/session';
import { paths } from '@/lib/paths';
import { Button, LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { PageHeading } from '@/ui/PageHeading';
import { PasswordInput } from '@/ui/PasswordInput';
import { Stack } from '@/ui/Stack';
import { useForm } from '@/ui/useForm';
import { InvalidLink } from './InvalidLink';
import { checkNewPassword } from './newPassword';

/** The target of the emailed link. Opening the page changes nothing. */
export default function ResetPasswordPage() {
  const { t } = useLingui();
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const [dead, setDead] = useState(false);
  // Check the link before a password is typed. Without a response, submitting the form will tell.
  const check = useQuery({
    queryKey: ['reset-link', token],
    queryFn: () => checkResetLink(token),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
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
        if (isInvalidLink(error)) setDead(true);
        throw error;
      }
      // All sessions of the account have ended, perhaps including the one in this browser.
      session.clearSession();
      navigate(paths.login({ reset: 1 }), { replace: true });
    },
    message: (error) => messageOf(error, t`We couldn’t change your password`),
  });

  if (!token || dead || isInvalidLink(check.error)) {
    return (
      <InvalidLink
        action={<LinkButton href={paths.forgotPassword}>{t`Ask for a new link`}</LinkButton>}
      >
        {t`Each link works once and expires after 30 minutes.`}
      </InvalidLink>
    );
  }
  return (
    <Stack gap={5} className="column" data-narrow="">
      <ErrorSummary form={form} />
      <PageHeading lead={t`You’ll be signed out everywhere. Then sign in with your new password.`}>
        {t`Choose a new password`}
      </PageHeading>
      <Card>
        <Stack as="form" gap={5} noValidate onSubmit={form.onSubmit}>
          <PasswordInput
            {...form.field('newPassword')}
            label={t`New password`}
            hint={t`At least ${minLength} characters.`}
            autoComplete="new-password"
          />
          <PasswordInput
            {...form.field('confirmPassword')}
            label={t`Confirm new password`}
            autoComplete="new-password"
          />
          <Button type="submit" wide busy={form.busy} busyLabel={t`Saving...`}>
            {t`Save new password`}
          </Button>
        </Stack>
      </Card>
    </Stack>
  );
}

/** The server rejected the link, not the form. */
function isInvalidLink(error: unknown): boolean {
  return error instanceof ApiError && (error.code === 'link_invalid' || 'token' in error.errors);
}
