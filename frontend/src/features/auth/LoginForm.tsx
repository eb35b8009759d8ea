import { useLingui } from '@lingui/react/macro';
import type { Role } from '@/api/types';
import { paths } from '@/lib/paths';
import { ROLE_LABELS } from '@/lib/roles';
import { Button } from '@/ui/Button';
import { Link } from '@/ui/Link';
import { PasswordInput } from '@/ui/PasswordInput';
import { Select } from '@/ui/Select';
import { Stack } from '@/ui/Stack';
import { TextInput } from '@/ui/TextInput';
import type { Form } from '@/ui/useForm';
import { LOGIN_ROLES, type Login } from './useLoginForm';

/** The fields for signing in with a password. */
export function LoginForm({ form }: { form: Form<Login> }) {
  const { t } = useLingui();
  return (
    <Stack as="form" gap={5} noValidate onSubmit={form.onSubmit}>
      <Select
        {...form.field('role')}
        onChange={(role) => form.set('role', role as Role)}
        label={t`Login as`}
        options={LOGIN_ROLES.map((role) => ({ value: role, label: t(ROLE_LABELS[role]) }))}
      />
      <TextInput
        {...form.field('email')}
        label={t`Email address`}
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordInput
        {...form.field('password')}
        label={t`Password`}
        autoComplete="current-password"
      />
      <p>
        <Link href={paths.forgotPassword}>{t`Forgot your password?`}</Link>
      </p>
      <Button type="submit" wide busy={form.busy} busyLabel={t`Signing in...`}>
        {t`Sign in`}
      </Button>
    </Stack>
  );
}
