import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { hasCode, messageOf } from '@/api/errors';
import { configQuery } from '@/api/queries';
import { logIn, type SignedIn } from '@/api/session';
import type { Role, SecondStepDue } from '@/api/types';
import { useSession } from '@/domain/session/session';
import { hasPasskeys } from '@/lib/passkey';
import { paths, safeNext } from '@/lib/paths';
import { getSiteSettings } from '@/lib/siteSettings';
import { readStorage, writeStorage } from '@/lib/storage';
import { checkEmail, withoutEmpty } from '@/lib/validate';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { PasswordInput } from '@/ui/PasswordInput';
import { Select } from '@/ui/Select';
import { Spinner } from '@/ui/Spinner';
import { Stack } from '@/ui/Stack';
import { TextInput } from '@/ui/TextInput';
import { useForm } from '@/ui/useForm';
import { DemoAccounts } from './DemoAccounts';
import { PendingBookingBanner, parseBookingPath } from './PendingBookingBanner';
import { RedirectAfterLogin } from './RedirectAfterLogin';
import { SwitchAuthLink } from './SwitchAuthLink';
import { getWrongRole, SignInAs } from './wrongRole';

// Most people have neither.
const MfaForm = lazy(() => import('./MfaForm'));
const PasskeySignIn = lazy(() => import('./PasskeySignIn'));

const ROLES = [
  { value: 'patient', label: 'Patient' },
  { value: 'doctor', label: 'Doctor' },
  { value: 'admin', label: 'Admin' },
] as const;
const WRONG_CREDENTIALS_HINT = 'That email and password don’t match.';
const LAST_ROLE_KEY = 'lastRole';

/** The role of the requested page, else the last one used, else patient. */
function likelyRole(next: string | null): Role {
  const candidates = [next?.split('/')[1], readStorage(LAST_ROLE_KEY)];
  return ROLES.map((role) => role.value).find((role) => candidates.includes(role)) ?? 'patient';
}

export default function LoginPage() {
  const [params] = useSearchParams();
  const next = safeNext(params.get('next'));
  const choice = parseBookingPath(next);
  const session = useSession();
  const { data: config } = useQuery(configQuery);
  const [otherRole, setOtherRole] = useState<Role | null>(null);
  const [due, setDue] = useState<SecondStepDue | null>(null);

  const signedIn = (answer: SignedIn) => {
    writeStorage(LAST_ROLE_KEY, answer.user.role);
    session.signIn(answer);
  };
  const form = useForm({
    values: { role: likelyRole(next), email: '', password: '' },
    validate: ({ email, password }) =>
      withoutEmpty({
        email: checkEmail(email),
        password: password ? undefined : 'Enter your password',
      }),
    submit: async ({ role, email, password }) => {
      setOtherRole(null);
      const answer = await logIn({ role, email: email.trim(), password }).catch((error) => {
        setOtherRole(getWrongRole(error));
        throw error;
      });
      if ('token' in answer) return signedIn(answer);
      setDue(answer.secondStep);
      form.set('password', '');
    },
    message: (error) => {
      const message = messageOf(error, 'Login failed');
      // The same message for an unknown address and a wrong password, so that it does not reveal accounts.
      return hasCode(error, 'login_failed') ? `${message}. ${WRONG_CREDENTIALS_HINT}` : message;
    },
  });

  if (session.state === 'loading') return <Spinner />;
  // Also redirects after a successful sign-in.
  if (session.user) return <RedirectAfterLogin role={session.user.role} next={next} />;

  if (due) {
    return (
      <Stack gap={5} className="column" data-narrow="">
        <Suspense fallback={<Spinner />}>
          <MfaForm secondStep={due} onSignedIn={signedIn} onRestart={() => setDue(null)} />
        </Suspense>
      </Stack>
    );
  }

  return (
    <Stack gap={5} className="column" data-narrow="">
      {params.has('reset') && (
        <div role="status">
          <Banner tone="success">Your password is changed. Sign in with the new one.</Banner>
        </div>
      )}
      {session.hasExpired && next && (
        <Banner tone="info">Your session has ended. Sign in to continue.</Banner>
      )}
      {choice && <PendingBookingBanner choice={choice} action="Sign in" />}
      <ErrorSummary form={form} />
      <PageHeading
        title="Sign in"
        lead={
          <>
            New to {getSiteSettings().siteName}?{' '}
            <SwitchAuthLink to={paths.register({ next: next ?? undefined })}>
              Create an account
            </SwitchAuthLink>
          </>
        }
      >
        Sign in
      </PageHeading>
      {otherRole && (
        <div>
          <SignInAs
            role={otherRole}
            busy={form.busy}
            onClick={() => form.submitWith({ role: otherRole })}
          />
        </div>
      )}
      <Card>
        <Stack as="form" gap={5} noValidate onSubmit={form.onSubmit}>
          <Select
            {...form.field('role')}
            onChange={(role) => form.set('role', role as Role)}
            label="Login as"
            options={ROLES}
          />
          <TextInput
            {...form.field('email')}
            label="Email address"
            type="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
          />
          <PasswordInput
            {...form.field('password')}
            label="Password"
            autoComplete="current-password"
          />
          <p>
            <Link href={paths.forgotPassword}>Forgot your password?</Link>
          </p>
          <Button type="submit" wide busy={form.busy} busyLabel="Signing in...">
            Sign in
          </Button>
        </Stack>
        {hasPasskeys() && (
          <Suspense>
            <PasskeySignIn role={form.values.role} onSignedIn={signedIn} />
          </Suspense>
        )}
      </Card>
      <DemoAccounts
        accounts={config?.demoAccounts ?? []}
        onSelect={({ role, email, password }) => form.setAll({ role, email, password })}
      />
    </Stack>
  );
}
