import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { doctorQuery } from '@/api/queries';
import type { DoctorPage, DoctorUser } from '@/api/types';
import { DoctorCard } from '@/domain/DoctorCard';
import { DoctorCredentials } from '@/domain/DoctorCredentials';
import { DoctorDetails } from '@/domain/DoctorDetails';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Avatar } from '@/ui/Avatar';
import { Banner } from '@/ui/Banner';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Inline } from '@/ui/Inline';
import { Link, LinkContext, type LinkProps } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';
import styles from './profile.module.css';

/**
 * The doctor as patients see them, built from the own profile: the public API does not list
 * unapproved doctors.
 */
function toPublicDoctor(user: DoctorUser): DoctorPage {
  return { ...user, verifiedOn: null, nextFree: null, nextTimes: [] };
}

/** Links in a preview lead nowhere and are not focusable. */
function NoLink({ className, children }: LinkProps) {
  return <span className={className}>{children}</span>;
}

/** A doctor's list entry and page, built from the components that patients see. */
export default function PublicPreview({ user }: { user: DoctorUser }) {
  const { t } = useLingui();
  const approved = user.approval.state === 'approved';
  const listed = useQuery({ ...doctorQuery(user._id), enabled: approved });
  // Recent edits are in the session first.
  const doctor: DoctorPage = { ...toPublicDoctor(user), ...listed.data };
  return (
    <>
      <PageHeading
        lead={t`Your entry in the list of doctors, and your page.`}
        actions={
          <>
            <LinkButton variant="secondary" href={paths.profile}>
              {t`Back to your profile`}
            </LinkButton>
            <LinkButton href={paths.editProfile}>{t`Edit Profile`}</LinkButton>
          </>
        }
      >
        {t`How patients see you`}
      </PageHeading>
      {!approved && (
        <Banner tone="info" title={t`Nobody sees this yet`}>
          {t`It becomes public once you’re approved.`}
        </Banner>
      )}
      <Stack as="section" aria-labelledby="in-the-list">
        <h2 id="in-the-list">{t`In the list`}</h2>
        <LinkContext value={NoLink}>
          <DoctorCard doctor={doctor} />
        </LinkContext>
        {!approved && (
          <p className="muted">
            <Trans>
              Once you’re approved, your next openings from{' '}
              <Link href={paths.doctorSchedule}>your schedule</Link> will appear here.
            </Trans>
          </p>
        )}
      </Stack>
      <Stack as="section" aria-labelledby="your-page">
        <h2 id="your-page">{t`Your page`}</h2>
        <Card gap={5}>
          <Inline gap={4} align="start" className={styles.previewHead}>
            <Avatar name={doctor.name} src={doctor.profilePicture} size={96} />
            <div>
              <p className={styles.previewName}>{doctorName(doctor.name)}</p>
              <DoctorCredentials doctor={doctor} />
            </div>
          </Inline>
          <DoctorDetails doctor={doctor} heading="h3" />
        </Card>
        {approved && (
          <p>
            <Link href={paths.doctor(user._id)}>{t`Open your page with its openings`}</Link>
          </p>
        )}
      </Stack>
    </>
  );
}
