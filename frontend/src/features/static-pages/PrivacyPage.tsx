import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { configQuery } from '@/api/queries';
import { paths } from '@/lib/paths';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';
import { SiteTexts } from './SiteTexts';
import styles from './static.module.css';

export default function PrivacyPage() {
  const { t } = useLingui();
  const { data: config } = useQuery(configQuery);
  if (config?.texts?.includes('privacy')) {
    return (
      <Stack gap={6} className="column">
        <PageHeading>{t`Privacy Policy`}</PageHeading>
        <SiteTexts kind="privacy" />
      </Stack>
    );
  }
  const idleMinutes = config?.idleMinutes.patient;
  return (
    <Stack gap={6} className="column">
      <PageHeading lead={t`What we keep about you, why, and who can see it.`}>
        {t`Privacy Policy`}
      </PageHeading>
      <Stack as="section" gap={3}>
        <h2>
          <Trans>What we keep</Trans>
        </h2>
        <ul className={styles.list}>
          <li>
            <Trans>
              <strong>Your account:</strong> your name, email address, phone number, and date of
              birth, your gender and picture if you add them, and when you agreed to this policy.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>If you’re a patient:</strong> your address and blood group if you add them,
              your appointments and requests, the symptoms and notes you write for them, and the
              diagnoses, prescriptions, and notes that your doctor adds.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>If you’re a doctor:</strong> your license and the documents you send us, your
              specialty, experience, fee, practice, and working hours, and what you write about
              yourself.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>Where you’re signed in:</strong> the time, IP address, and browser of each
              sign-in, so that you can see them in your profile and end any that aren’t yours. Until
              you confirm your email address, we also keep the IP address with each time that you
              request, until the doctor confirms it or it begins.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>What happens to your data:</strong> a log of changes, of everyone who opened
              medical texts, and of the days on which a doctor or a member of our staff was shown
              something about you.
            </Trans>
          </li>
        </ul>
        <p>
          <Trans>We store your password only as a hash, so nobody can read it.</Trans>
        </p>
      </Stack>
      <Stack as="section" gap={3}>
        <h2>
          <Trans context="reason">Why</Trans>
        </h2>
        <p>
          <Trans>
            So that you can book appointments, your doctor can prepare, and both of you have a
            record. We don’t sell your data and don’t show ads.
          </Trans>
        </p>
      </Stack>
      <Stack as="section" gap={3}>
        <h2>
          <Trans>Who can see it</Trans>
        </h2>
        <ul className={styles.list}>
          <li>
            <Trans>
              <strong>A doctor</strong> sees the contact details of patients who booked with them,
              and those patients’ appointments with them. Other doctors see none of it.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>Medical texts</strong> (symptoms, notes, diagnoses, prescriptions, files, and
              the reasons that you and your doctor give each other): only you and that doctor can
              read them, and a few members of our staff with special permission. We log every time a
              doctor or a member of our staff opens them, and you can see that log on your
              appointment’s page. They’re never in our emails or calendar files.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>Our staff</strong> see your account and who has an appointment with whom and
              when. We log each day on which a member of our staff or a doctor is shown something
              about you. The download of all your data lists those days.
            </Trans>
          </li>
          <li>
            <Trans>
              <strong>Everyone</strong> sees a verified doctor’s name, picture, specialty,
              experience, fee, practice, rating, and openings. A doctor’s license number, email
              address, phone number, and date of birth are never public.
            </Trans>
          </li>
        </ul>
      </Stack>
      <Stack as="section" gap={3}>
        <h2>
          <Trans>Emails and links</Trans>
        </h2>
        <p>
          <Trans>
            We email you about your account and your appointments: who, when, and where, and never
            why. Links in our emails open a page. Nothing changes until you press a button there.
            Your private calendar link, if you create one, shows anyone who has it when and where
            your appointments are. You can remove it at any time in your{' '}
            <Link href={paths.noticeSettings}>notification settings</Link>.
          </Trans>
        </p>
      </Stack>
      <Stack as="section" gap={3}>
        <h2>
          <Trans>In your browser</Trans>
        </h2>
        <p>
          <Trans>
            We don’t use tracking cookies. Your browser stores the token that keeps you signed in
            and preferences such as light or dark appearance. What you type into a form before you
            sign in stays in the browser’s tab until you send it or close the tab, but never a
            password. Our pages load nothing from other companies.
          </Trans>
        </p>
        {idleMinutes !== undefined && (
          <p>
            <Trans>After {idleMinutes} minutes without activity, we sign you out.</Trans>
          </p>
        )}
      </Stack>
      <Stack as="section" gap={3}>
        <h2>
          <Trans>How long</Trans>
        </h2>
        <p>
          <Trans>
            As long as you have an account. When you close it, you disappear from every list, we
            cancel your upcoming appointments, and we keep the records of past appointments for as
            long as the law requires.
          </Trans>
        </p>
      </Stack>
      <Stack as="section" gap={3}>
        <h2>
          <Trans>Your choices</Trans>
        </h2>
        <p>
          <Trans>
            In <Link href={paths.profile}>your profile</Link>, you can see and correct your details,
            download all of your data, and close your account. If something in your medical record
            is wrong, ask the doctor who wrote it. The{' '}
            <Link href={paths.contact}>contact page</Link> says who to ask about anything else.
          </Trans>
        </p>
      </Stack>
    </Stack>
  );
}
