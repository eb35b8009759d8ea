import type { ReactNode } from 'react';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { CalendarIcon, CheckIcon, RecordIcon, VerifiedIcon } from '@/ui/icons';
import { Stack } from '@/ui/Stack';
import styles from './Benefits.module.css';

const REASONS: { icon: ReactNode; title: string; text: string }[] = [
  {
    icon: <VerifiedIcon size={26} />,
    title: 'Verified doctors',
    text: 'We check every doctor’s license before patients can find or book them.',
  },
  {
    icon: <CalendarIcon size={26} />,
    title: 'Real free times',
    text: 'You see the doctor’s own calendar. A time you book is yours: nobody else can take it.',
  },
  {
    icon: <CheckIcon size={26} />,
    title: 'Clear from the start',
    text: 'You see the fee, the location and what happens next before you book.',
  },
  {
    icon: <RecordIcon size={26} />,
    title: 'Your record, kept for you',
    text: 'Diagnoses, prescriptions and notes from past appointments are in one private place.',
  },
];

export function Benefits() {
  return (
    <Stack as="section" gap={5} aria-labelledby="why">
      <h2 id="why">Why choose us</h2>
      <ul className={styles.reasons}>
        {REASONS.map((reason) => (
          <Inline key={reason.title} as="li" gap={4} align="start" wrap={false}>
            <Grid as="span" gap={0} className={styles.icon}>
              {reason.icon}
            </Grid>
            <div>
              <h3>{reason.title}</h3>
              <p className="muted">{reason.text}</p>
            </div>
          </Inline>
        ))}
      </ul>
    </Stack>
  );
}
