import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { CalendarIcon, CheckIcon, VerifiedIcon } from '@/ui/icons';
import { RecordIcon } from '@/ui/pageIcons';
import { Stack } from '@/ui/Stack';
import styles from './Benefits.module.css';

const REASONS: { icon: ReactNode; title: MessageDescriptor; text: MessageDescriptor }[] = [
  {
    icon: <VerifiedIcon size={26} />,
    title: msg`Verified doctors`,
    text: msg`We check every doctor’s license before patients can find or book them.`,
  },
  {
    icon: <CalendarIcon size={26} />,
    title: msg`Real-time availability`,
    text: msg`You see openings from the doctor’s own calendar. Once you book, the time is yours.`,
  },
  {
    icon: <CheckIcon size={26} />,
    title: msg`Clear from the start`,
    text: msg`You see the fee, the location, and what happens next before you book.`,
  },
  {
    icon: <RecordIcon size={26} />,
    title: msg`Your records in one place`,
    text: msg`Diagnoses, prescriptions, and notes from past appointments are private and easy to find.`,
  },
];

export function Benefits() {
  const { t } = useLingui();
  return (
    <Stack as="section" gap={5} aria-labelledby="why">
      <h2 id="why">
        <Trans>Why choose us</Trans>
      </h2>
      <ul className={styles.reasons}>
        {REASONS.map((reason) => (
          <Inline key={reason.title.id} as="li" gap={4} align="start" wrap={false}>
            <Grid as="span" gap={0} className={styles.icon}>
              {reason.icon}
            </Grid>
            <div>
              <h3>{t(reason.title)}</h3>
              <p className="muted">{t(reason.text)}</p>
            </div>
          </Inline>
        ))}
      </ul>
    </Stack>
  );
}
