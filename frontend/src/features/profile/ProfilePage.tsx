import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router-dom';
import { isSecondStepDue, useUser } from '@/domain/session/session';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { PageHeading } from '@/ui/PageHeading';
import { Spinner } from '@/ui/Spinner';
import { ApprovalNote } from './ApprovalNote';
import { PasswordSection } from './PasswordSection';
import { PersonEditor } from './PersonEditor';
import { ProfileView } from './ProfileView';
import styles from './profile.module.css';
import { SessionsSection } from './SessionsSection';
import { YourData } from './YourData';

// Only doctors have so much to say.
const DoctorEditor = lazy(() =>
  import('./DoctorEditor').then((module) => ({ default: module.DoctorEditor })),
);
// Rarely there.
const WaitingEmail = lazy(() => import('./WaitingEmail'));
const SecondStepSection = lazy(() => import('./SecondStepSection'));
const PasskeysSection = lazy(() => import('./PasskeysSection'));
const PublicPreview = lazy(() => import('./PublicPreview'));

/** View and edit one's profile; the address bar says which. Password and sessions stand below. */
export default function ProfilePage() {
  const user = useUser();
  const [params] = useSearchParams();
  const due = isSecondStepDue(user);
  if (params.has('edit') && !due) {
    return (
      <div className={styles.page}>
        {user.role === 'doctor' ? (
          <Suspense fallback={<Spinner />}>
            <DoctorEditor user={user} />
          </Suspense>
        ) : (
          <PersonEditor user={user} />
        )}
      </div>
    );
  }
  if (user.role === 'doctor' && params.get('view') === 'public') {
    return (
      <div className={styles.page}>
        <Suspense fallback={<Spinner />}>
          <PublicPreview user={user} />
        </Suspense>
      </div>
    );
  }
  return (
    <div className={styles.page}>
      {due ? (
        <>
          <PageHeading>Set up two-step sign-in</PageHeading>
          <Banner tone="info">
            Your account needs it before you can do anything else: an authenticator app or a
            passkey.
          </Banner>
        </>
      ) : (
        <>
          <PageHeading
            title="Profile"
            actions={<LinkButton href={paths.editProfile}>Edit Profile</LinkButton>}
          >
            Profile
          </PageHeading>
          {user.role === 'doctor' && <ApprovalNote approval={user.approval} />}
          {(user.pendingEmail || !user.emailConfirmed) && (
            <Suspense>
              <WaitingEmail user={user} />
            </Suspense>
          )}
          <ProfileView user={user} />
          <Card as="section" className="stack" aria-labelledby="notices">
            <h2 id="notices">Messages and reminders</h2>
            <p className="muted">
              What we write to you, in which language, how long before a visit, and when not.
            </p>
            <div>
              <LinkButton variant="secondary" href={paths.noticeSettings}>
                Choose what you are told
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
      {!due && (
        <>
          <SessionsSection />
          <YourData />
        </>
      )}
    </div>
  );
}
