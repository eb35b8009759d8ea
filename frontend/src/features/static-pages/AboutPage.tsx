import { paths } from '@/lib/paths';
import { getSiteSettings } from '@/lib/siteSettings';
import { LinkButton } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';
import styles from './static.module.css';

const STEPS = [
  {
    title: 'Find',
    text: 'Search by name, specialty or city. For each doctor you see the fee, the address and the next openings.',
  },
  {
    title: 'Choose a time',
    text: 'Openings come from the doctor’s own calendar. Once you choose one, nobody else can take it.',
  },
  {
    title: 'Get confirmed',
    text: 'Some doctors confirm instantly. Others reply to your request, and you see by when before you send it.',
  },
  {
    title: 'After your appointment',
    text: 'Diagnoses and prescriptions that your doctor writes down are waiting for you under Records.',
  },
];

export default function AboutPage() {
  return (
    <Stack gap={6} className="column">
      <PageHeading
        lead={`${getSiteSettings().siteName} helps people see a doctor they trust, without waiting on the phone.`}
      >
        About Us
      </PageHeading>
      <Stack as="section" gap={3}>
        <h2>How it works</h2>
        <Stack as="ol" gap={5} className={styles.steps}>
          {STEPS.map((step) => (
            <li key={step.title}>
              <h3>{step.title}</h3>
              <p>{step.text}</p>
            </li>
          ))}
        </Stack>
      </Stack>
      <Stack as="section" gap={3}>
        <h2>What “verified” means</h2>
        <p>
          Every doctor who registers gives us a license number. We check it before the doctor is
          listed or can be booked, and again when the license or the specialty changes. We can
          remove a doctor from the list at any time.
        </p>
      </Stack>
      <Stack as="section" gap={3}>
        <h2>What it costs</h2>
        <p>
          Booking is free, and you don’t pay anything online. The fee you see is the doctor’s. You
          pay it at the clinic.
        </p>
      </Stack>
      <Stack as="section" gap={3}>
        <h2>What we don’t do</h2>
        <p>
          {getSiteSettings().siteName} doesn’t give medical advice and isn’t for emergencies. If you
          need help right away, call your local emergency number.
        </p>
      </Stack>
      <Inline>
        <LinkButton href={paths.findDoctors()}>Find a doctor</LinkButton>
        <LinkButton variant="secondary" href={paths.register({ role: 'doctor' })}>
          Join as a doctor
        </LinkButton>
      </Inline>
    </Stack>
  );
}
