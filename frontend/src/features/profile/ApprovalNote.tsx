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
  { tone: Tone; title: string; text: string; next: string }
> = {
  pending: {
    tone: 'info',
    title: 'Waiting for approval',
    text: 'We are checking your license. Until then patients cannot find or book you.',
    next: 'Until then, you can complete your profile and set your hours.',
  },
  rejected: {
    tone: 'warning',
    title: 'Not approved',
    text: 'We could not verify your details, so patients cannot find or book you.',
    next: 'Correct what is missing and apply again. We’ll review your new application.',
  },
  revoked: {
    tone: 'warning',
    title: 'Approval withdrawn',
    text: 'Patients can’t find or book you at the moment. Appointments already booked take place as planned.',
    next: 'You can apply again.',
  },
};

/** The doctor's approval status and what to do about it. */
export function ApprovalNote({ approval }: Pick<DoctorUser, 'approval'>) {
  const hasContact = useHasContact();
  if (approval.state === 'approved') {
    return (
      <Inline as="p" gap={2} align="start" wrap={false} className={styles.approved}>
        <VerifiedIcon />
        <span>
          You are approved: patients can find and book you.{' '}
          <Link href={paths.publicProfile}>See your page as patients do</Link>.{' '}
          <Link href={paths.doctorVerification}>Your verification</Link>
        </span>
      </Inline>
    );
  }
  const note = NOTES[approval.state];
  const canWrite = hasContact && approval.state !== 'pending';
  return (
    <Banner tone={note.tone} title={note.title}>
      <p>{note.text}</p>
      {approval.reason && (
        <p>
          The reason given: <q>{approval.reason}</q>
        </p>
      )}
      <p>
        {note.next}
        {canWrite &&
          approval.state === 'revoked' &&
          ' If you think that this is a mistake, write to us.'}
      </p>
      <Inline as="ul" rowGap={1} gap={5} align="stretch" className={styles.links}>
        <li>
          <Link href={paths.publicProfile}>See your page as patients will</Link>
        </li>
        <li>
          <Link href={paths.doctorVerification}>
            {approval.state === 'pending' ? 'See your application' : 'Apply again'}
          </Link>
        </li>
        {approval.state === 'pending' && (
          <li>
            <Link href={paths.doctorSchedule}>Set your hours</Link>
          </li>
        )}
        {canWrite && (
          <li>
            <Link href={paths.contact}>Write to us</Link>
          </li>
        )}
      </Inline>
    </Banner>
  );
}
