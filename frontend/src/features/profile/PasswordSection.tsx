import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { changePassword, sessionsQuery } from '@/api/profile';
import { configQuery } from '@/api/queries';
import { passkeyErrorMessage } from '@/domain/session/passkeyErrorMessage';
import { useUser } from '@/domain/session/session';
import { withoutEmpty } from '@/lib/validate';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Disclosure } from '@/ui/Disclosure';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { PasswordInput } from '@/ui/PasswordInput';
import { Stack } from '@/ui/Stack';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';
import { FactorFields, useFactorProof } from './FactorProof';

const EMPTY = { currentPassword: '', newPassword: '' };

export function PasswordSection() {
  const { t } = useLingui();
  const user = useUser();
  const client = useQueryClient();
  const minLength = useQuery(configQuery).data?.passwordMinLength ?? 6;
  const proof = useFactorProof('password');
  const form = useForm({
    values: EMPTY,
    validate: ({ currentPassword, newPassword }) => ({
      ...withoutEmpty({
        currentPassword: currentPassword ? undefined : t`Enter your current password`,
        newPassword:
          newPassword.length < minLength
            ? t`Password must be at least ${minLength} characters long`
            : undefined,
      }),
      ...proof.check(),
    }),
    submit: async (values) => {
      const { message } = await proof.submitWithFactor((factor) =>
        changePassword({ ...values, ...factor }),
      );
      form.reset(EMPTY);
      toast.success(message || t`Password changed successfully`);
      await client.invalidateQueries(sessionsQuery);
    },
    message: (error) => passkeyErrorMessage(error, t`We couldn’t change your password`),
  });

  return (
    <Card as="section" gap={4} aria-labelledby="password">
      <h2 id="password">{t`Password`}</h2>
      <p className="muted">{t`When you change it, you’ll be signed out everywhere else.`}</p>
      <Disclosure summary={t`Change password`} lazy>
        <Stack as="form" gap={5} noValidate onSubmit={form.onSubmit}>
          <ErrorSummary form={form} />
          {/* Tells password managers which account this password belongs to. */}
          <input type="email" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordInput
            {...form.field('currentPassword')}
            label={t`Current password`}
            autoComplete="current-password"
          />
          <PasswordInput
            {...form.field('newPassword')}
            label={t`New password`}
            hint={t`At least ${minLength} characters.`}
            autoComplete="new-password"
          />
          <FactorFields proof={proof} errors={form.errors} />
          <div>
            <Button type="submit" busy={form.busy} busyLabel={t`Changing...`}>
              {t`Change password`}
            </Button>
          </div>
        </Stack>
      </Disclosure>
    </Card>
  );
}
