import { useQuery, useQueryClient } from '@tanstack/react-query';
import { changePassword } from '@/api/calls';
import { messageOf } from '@/api/errors';
import { configQuery, sessionsQuery } from '@/api/queries';
import { useUser } from '@/domain/session/session';
import { complaints } from '@/lib/validate';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Disclosure } from '@/ui/Disclosure';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { PasswordInput } from '@/ui/inputs';
import { notify } from '@/ui/notices';
import { useForm } from '@/ui/useForm';

const EMPTY = { currentPassword: '', newPassword: '' };

export function PasswordSection() {
  const user = useUser();
  const client = useQueryClient();
  const minLength = useQuery(configQuery).data?.passwordMinLength ?? 6;
  const form = useForm({
    values: EMPTY,
    validate: ({ currentPassword, newPassword }) =>
      complaints({
        currentPassword: currentPassword ? undefined : 'Enter your current password',
        newPassword:
          newPassword.length < minLength
            ? `Password must be at least ${minLength} characters long`
            : undefined,
      }),
    submit: async (values) => {
      const { message } = await changePassword(values);
      form.reset(EMPTY);
      notify.success(message || 'Password changed successfully');
      await client.invalidateQueries(sessionsQuery);
    },
    message: (error) => messageOf(error, 'Failed to change the password'),
  });

  return (
    <Card as="section" className="stack" aria-labelledby="password">
      <h2 id="password">Password</h2>
      <p className="muted">Changing it signs you out everywhere else.</p>
      <Disclosure summary="Change password">
        <form className="stack" data-gap="5" noValidate onSubmit={form.onSubmit}>
          <ErrorSummary form={form} />
          {/* Tells a password manager whose password this is. */}
          <input type="email" autoComplete="username" value={user.email} readOnly hidden />
          <PasswordInput
            {...form.field('currentPassword')}
            label="Current password"
            autoComplete="current-password"
          />
          <PasswordInput
            {...form.field('newPassword')}
            label="New password"
            hint={`At least ${minLength} characters.`}
            autoComplete="new-password"
          />
          <div>
            <Button type="submit" busy={form.busy} busyLabel="Changing...">
              Change password
            </Button>
          </div>
        </form>
      </Disclosure>
    </Card>
  );
}
