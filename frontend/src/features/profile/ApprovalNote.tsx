import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ApprovalState, DoctorUser } from '@/api/types';
import { useHasContact } from '@/domain/useHasContact';
import { paths } from '@/lib/paths';
import { Banner, type Tone } from '@/ui/Banner';
import { Inline } from '@/ui/Inline';
import { VerifiedIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import styles from './profile.module.css';

const NOTES: Record<
  Exclude<ApprovalState, 'approved'>,
  { tone: Tone; title: MessageDescriptor; text: MessageDescriptor; next: MessageDescriptor }
> = {
  pending: {
    tone: 'info',
    title: msg`Waiting for approval`,
    text: msg`We’re verifying your license. Patients can’t find or book you yet.`,
    next: msg`In the meantime, you can complete your profile and set your hours.`,
  },
  rejected: {
    tone: 'warning',
    title: msg`Not approved`,
    text: msg`We couldn’t verify your details, so patients can’t find or book you.`,
    next: msg`Correct what is missing and apply again. We’ll review your new application.`,
  },
  revoked: {
    tone: 'warning',
    title: msg`Approval withdrawn`,
    text: msg`Patients can’t find or book you at the moment. Appointments already booked will take place as planned.`,
    next: msg`You can apply again.`,
  },
};

/** The doctor's approval status and what to do about it. */
export function ApprovalNote({ approval }: Pick<DoctorUser, 'approval'>) {
  const { t } = useLingui();
  const hasContact = useHasContact();
  const { reason } = approval;
  if (approval.state === 'approved') {
    return (
      <Inline as="p" gap={2} align="start" wrap={false} className={styles.approved}>
        <VerifiedIcon />
        <span>
          <Trans>
            You’re approved: patients can find and book you.{' '}
            <Link href={paths.publicProfile}>See your page as patients do</Link>.{' '}
            <Link href={paths.doctorVerification}>Your verification</Link>
          </Trans>
        </span>
      </Inline>
    );
  }
  const note = NOTES[approval.state];
  const canWrite = hasContact && approval.state !== 'pending';
  return (
    <Banner tone={note.tone} title={t(note.title)}>
      <p>{t(note.text)}</p>
      {reason && (
        <p>
          <Trans>
            Reason: <q>{reason}</q>
          </Trans>
        </p>
      )}
      <p>
        {canWrite && approval.state === 'revoked'
          ? t`You can apply again. If you think this is a mistake, contact us.`
          : t(note.next)}
      </p>
      <Inline as="ul" rowGap={1} gap={5} align="stretch" className={styles.links}>
        <li>
          <Link href={paths.publicProfile}>{t`See your page as patients will`}</Link>
        </li>
        <li>
          <Link href={paths.doctorVerification}>
            {approval.state === 'pending' ? t`See your application` : t`Apply again`}
          </Link>
        </li>
        {approval.state === 'pending' && (
          <li>
            <Link href={paths.doctorSchedule}>{t`Set your hours`}</Link>
          </li>
        )}
        {canWrite && (
          <li>
            <Link href={paths.contact}>{t`Contact us`}</Link>
          </li>
        )}
      </Inline>
    </Banner>
  );
}
