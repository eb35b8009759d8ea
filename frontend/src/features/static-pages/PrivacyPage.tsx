import { useQuery } from '@tanstack/react-query';
import { configQuery } from '@/api/queries';
import { paths } from '@/lib/paths';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';
import { SiteTexts } from './SiteTexts';
import styles from './static.module.css';

export default function PrivacyPage() {
  const { data: config } = useQuery(configQuery);
  if (config?.texts?.includes('privacy')) {
    return (
      <Stack gap={6} className="column">
        <PageHeading>Privacy Policy</PageHeading>
        <SiteTexts kind="privacy" />
      </Stack>
    );
  }
  return (
    <Stack gap={6} className="column">
      <PageHeading lead="What we keep about you, why, and who can see it.">
        Privacy Policy
      </PageHeading>
      <Stack as="section" gap={3}>
        <h2>What we keep</h2>
        <ul className={styles.list}>
          <li>
            <strong>Your account:</strong> your name, email address, phone number and date of birth,
            your gender and picture if you add them, and when you agreed to this policy.
          </li>
          <li>
            <strong>If you’re a patient:</strong> your address and blood group if you add them, your
            appointments and requests, the symptoms and notes you write for them, and the diagnoses,
            prescriptions and notes that your doctor adds.
          </li>
          <li>
            <strong>If you’re a doctor:</strong> your license and the documents you send us,
            specialty, experience, fee, practice, working hours and what you write about yourself.
          </li>
          <li>
            <strong>Where you’re signed in:</strong> the time, IP address and browser of each
            sign-in, so that you can see them in your profile and end any that aren’t yours. Until
            you confirm your email address, we also keep the IP address with each time that you
            request, until the doctor confirms it or it begins.
          </li>
          <li>
            <strong>What happened:</strong> a log of changes, of who opened medical texts, and of
            which doctor or member of our staff was shown data of which people on which day.
          </li>
        </ul>
        <p>We store your password only as a hash, so nobody can read it.</p>
      </Stack>
      <Stack as="section" gap={3}>
        <h2>Why</h2>
        <p>
          So that you can book appointments, your doctor can prepare, and both of you have a record.
          We don’t sell your data and don’t show ads.
        </p>
      </Stack>
      <Stack as="section" gap={3}>
        <h2>Who can see it</h2>
        <ul className={styles.list}>
          <li>
            <strong>A doctor</strong> sees the contact details of patients who booked with them, and
            those patients’ appointments with them. Other doctors see nothing of it.
          </li>
          <li>
            <strong>Medical texts</strong> (symptoms, notes, diagnoses, prescriptions, files, and
            the reasons that you and your doctor give each other) can be read by you and that
            doctor. Our staff can’t read them, except a few people with special permission. Every
            time a doctor or a member of our staff opens them is logged, and you can see that log on
            your appointment’s page. They’re never in our emails or calendar files.
          </li>
          <li>
            <strong>Our staff</strong> see your account and who has an appointment with whom and
            when. Each day on which a member of our staff or a doctor is shown something about you
            is logged. The download of all your data lists those days.
          </li>
          <li>
            <strong>Everyone</strong> sees a verified doctor’s name, picture, specialty, experience,
            fee, practice, rating and openings. A doctor’s license number, email address, phone
            number and date of birth are never public.
          </li>
        </ul>
      </Stack>
      <Stack as="section" gap={3}>
        <h2>Emails and links</h2>
        <p>
          We email you about your account and your appointments: who, when and where, and never why.
          Links in our emails open a page. Nothing changes until you press a button there. Your
          private calendar link, if you create one, shows anyone who has it when and where your
          appointments are. You can remove it at any time in your{' '}
          <Link href={paths.noticeSettings}>notification settings</Link>.
        </p>
      </Stack>
      <Stack as="section" gap={3}>
        <h2>In your browser</h2>
        <p>
          We don’t use tracking cookies. Your browser stores the token that keeps you signed in and
          preferences such as light or dark appearance. What you type into a form before you sign in
          stays in the browser’s tab until you send it or close the tab, but never a password. Our
          pages load nothing from other companies.
          {config && (
            <> After {config.idleMinutes.patient} minutes without activity, we sign you out.</>
          )}
        </p>
      </Stack>
      <Stack as="section" gap={3}>
        <h2>How long</h2>
        <p>
          As long as you have an account. When you close it, you disappear from every list, your
          upcoming appointments are cancelled, and records of past appointments are kept for as long
          as the law requires.
        </p>
      </Stack>
      <Stack as="section" gap={3}>
        <h2>Your choices</h2>
        <p>
          In <Link href={paths.profile}>your profile</Link> you can see and correct your details,
          download all of your data, and close your account. If something in your medical record is
          wrong, ask the doctor who wrote it. The <Link href={paths.contact}>contact page</Link>{' '}
          says whom to ask anything else.
        </p>
      </Stack>
    </Stack>
  );
}
