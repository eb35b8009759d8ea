import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { configQuery } from '@/api/queries';
import type { SignedIn } from '@/api/session';
import type { SecondStepDue } from '@/api/types';
import { useSession } from '@/domain/session/session';
import { hasPasskeys } from '@/lib/passkey';
import { paths, safeNext } from '@/lib/paths';
import { getSiteSettings } from '@/lib/siteSettings';
import { Banner } from '@/ui/Banner';
import { Card } from '@/ui/Card';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { PageHeading } from '@/ui/PageHeading';
import { Spinner } from '@/ui/Spinner';
import { Stack } from '@/ui/Stack';
import { DemoAccounts } from './DemoAccounts';
import { LoginForm } from './LoginForm';
import { PendingBookingBanner, parseBookingPath } from './PendingBookingBanner';
import { RedirectAfterLogin } from './RedirectAfterLogin';
import { SwitchAuthLink } from './SwitchAuthLink';
import { rememberRole, useLoginForm } from './useLoginForm';
import { SignInAs } from './wrongRole';

// Most people have neither.
const MfaForm = lazy(() => import('./MfaForm'));
const PasskeySignIn = lazy(() => import('./PasskeySignIn'));

export default function LoginPage() {
  const { t } = useLingui();
  const [params] = useSearchParams();
  const next = safeNext(params.get('next'));
  const choice = parseBookingPath(next);
  const session = useSession();
  const { data: config } = useQuery(configQuery);
  const [due, setDue] = useState<SecondStepDue | null>(null);

  const signedIn = (answer: SignedIn) => {
    rememberRole(answer.user.role);
    session.signIn(answer);
  };
  const { form, otherRole } = useLoginForm(next, {
    onSignedIn: signedIn,
    onSecondStepDue: setDue,
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

  const { siteName } = getSiteSettings();
  return (
    <Stack gap={5} className="column" data-narrow="">
      {params.has('reset') && (
        <div role="status">
          <Banner tone="success">{t`You’ve changed your password. Sign in with the new one.`}</Banner>
        </div>
      )}
      {session.hasExpired && next && (
        <Banner tone="info">{t`You’ve been signed out. Sign in to continue.`}</Banner>
      )}
      {choice && <PendingBookingBanner choice={choice} action="sign-in" />}
      <ErrorSummary form={form} />
      <PageHeading
        title={t`Sign in`}
        lead={
          <Trans>
            New to {siteName}?{' '}
            <SwitchAuthLink to={paths.register({ next: next ?? undefined })}>
              Create an account
            </SwitchAuthLink>
          </Trans>
        }
      >
        {t`Sign in`}
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
        <LoginForm form={form} />
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
