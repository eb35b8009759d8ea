import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { paths } from '@/lib/paths';
import { getSiteSettings } from '@/lib/siteSettings';
import { LinkButton } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';
import styles from './static.module.css';

const STEPS = [
  {
    title: msg`Find`,
    text: msg`Search by name, specialty, or city. For each doctor, you see the fee, the address, and the next openings.`,
  },
  {
    title: msg`Choose a time`,
    text: msg`Openings come from the doctor’s own calendar. Once you choose one, nobody else can take it.`,
  },
  {
    title: msg`Get confirmed`,
    text: msg`Some doctors confirm instantly. Others reply to your request, and you see by when before you send it.`,
  },
  {
    title: msg`After your appointment`,
    text: msg`Your doctor’s diagnoses and prescriptions are under Records.`,
  },
];

export default function AboutPage() {
  const { t } = useLingui();
  const { siteName } = getSiteSettings();
  return (
    <Stack gap={6} className="column">
      <PageHeading
        lead={t`${siteName} helps people see a doctor they trust, without waiting on the phone.`}
      >
        {t`About Us`}
      </PageHeading>
      <Stack as="section" gap={3}>
        <h2>
          <Trans>How it works</Trans>
        </h2>
        <Stack as="ol" gap={5} className={styles.steps}>
          {STEPS.map((step) => (
            <li key={step.title.id}>
              <h3>{t(step.title)}</h3>
              <p>{t(step.text)}</p>
            </li>
          ))}
        </Stack>
      </Stack>
      <Stack as="section" gap={3}>
        <h2>
          <Trans>What “verified” means</Trans>
        </h2>
        <p>
          <Trans>
            Every doctor who registers gives us a license number. We check it before the doctor is
            listed or can be booked, and again when the license or the specialty changes. We can
            remove a doctor from the list at any time.
          </Trans>
        </p>
      </Stack>
      <Stack as="section" gap={3}>
        <h2>
          <Trans>What it costs</Trans>
        </h2>
        <p>
          <Trans>
            Booking is free, and you don’t pay anything online. The fee you see is the doctor’s. You
            pay it at the clinic.
          </Trans>
        </p>
      </Stack>
      <Stack as="section" gap={3}>
        <h2>
          <Trans>What we don’t do</Trans>
        </h2>
        <p>
          <Trans>
            {siteName} doesn’t give medical advice and isn’t for emergencies. If you need help right
            away, call your local emergency number.
          </Trans>
        </p>
      </Stack>
      <Inline>
        <LinkButton href={paths.findDoctors()}>
          <Trans>Find a doctor</Trans>
        </LinkButton>
        <LinkButton variant="secondary" href={paths.register({ role: 'doctor' })}>
          <Trans>Join as a doctor</Trans>
        </LinkButton>
      </Inline>
    </Stack>
  );
}
