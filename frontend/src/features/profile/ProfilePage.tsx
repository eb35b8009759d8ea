import { useLingui } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router-dom';
import { mustSetUpMfa, useUser } from '@/domain/session/session';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { PageHeading } from '@/ui/PageHeading';
import { Spinner } from '@/ui/Spinner';
import { Stack } from '@/ui/Stack';
import { AccountData } from './AccountData';
import { ApprovalNote } from './ApprovalNote';
import { PasswordSection } from './PasswordSection';
import { ProfileView } from './ProfileView';
import { SessionsSection } from './SessionsSection';

// In effect a page of its own, at the same URL.
const DoctorEditor = lazy(() =>
  import('./DoctorEditor').then((module) => ({ default: module.DoctorEditor })),
);
const PersonEditor = lazy(() =>
  import('./PersonEditor').then((module) => ({ default: module.PersonEditor })),
);
// Rarely shown.
const PendingEmail = lazy(() => import('./PendingEmail'));
const SecondStepSection = lazy(() => import('./MfaSection'));
const PasskeysSection = lazy(() => import('./PasskeysSection'));
const PublicPreview = lazy(() => import('./PublicPreview'));

/** View or edit the profile, depending on the URL, with password and sessions below. */
export default function ProfilePage() {
  const { t } = useLingui();
  const user = useUser();
  const [params] = useSearchParams();
  const isMfaRequired = mustSetUpMfa(user);
  if (params.has('edit') && !isMfaRequired) {
    return (
      <Stack gap={5} className="column">
        <Suspense fallback={<Spinner />}>
          {user.role === 'doctor' ? <DoctorEditor user={user} /> : <PersonEditor user={user} />}
        </Suspense>
      </Stack>
    );
  }
  if (user.role === 'doctor' && params.get('view') === 'public') {
    return (
      <Stack gap={5} className="column">
        <Suspense fallback={<Spinner />}>
          <PublicPreview user={user} />
        </Suspense>
      </Stack>
    );
  }
  return (
    <Stack gap={5} className="column">
      {isMfaRequired ? (
        <>
          <PageHeading>{t`Set up two-step sign-in`}</PageHeading>
          <Banner tone="info">
            {t`Your account needs an authenticator app or a passkey before you can do anything else.`}
          </Banner>
        </>
      ) : (
        <>
          <PageHeading
            title={t`Profile`}
            actions={<LinkButton href={paths.editProfile}>{t`Edit Profile`}</LinkButton>}
          >
            {t`Profile`}
          </PageHeading>
          {user.role === 'doctor' && <ApprovalNote approval={user.approval} />}
          {(user.pendingEmail || !user.emailConfirmed) && (
            <Suspense>
              <PendingEmail user={user} />
            </Suspense>
          )}
          <ProfileView user={user} />
          <Card as="section" gap={4} aria-labelledby="notices">
            <h2 id="notices">{t`Notifications`}</h2>
            <p className="muted">{t`Email language, reminders and quiet hours.`}</p>
            <div>
              <LinkButton variant="secondary" href={paths.noticeSettings}>
                {t`Manage notifications`}
              </LinkButton>
            </div>
          </Card>
          <PasswordSection />
        </>
      )}
      {/* In one place whether due or not: the recovery codes stay on the screen when it is done. */}
      <Suspense>
        <SecondStepSection />
        <PasskeysSection />
      </Suspense>
      {!isMfaRequired && (
        <>
          <SessionsSection />
          <AccountData />
        </>
      )}
    </Stack>
  );
}
