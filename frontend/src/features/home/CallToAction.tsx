import { Trans, useLingui } from '@lingui/react/macro';
import { LogoMark } from '@/domain/Logo';
import { LinkButton } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import type { Action } from './actions';
import styles from './CallToAction.module.css';

/** The final call to action. */
export function CallToAction({ action }: { action: Action }) {
  const { t } = useLingui();
  return (
    <Inline as="section" gap={5} className={styles.callToAction} aria-labelledby="closing">
      <LogoMark size={56} />
      <div className={styles.text}>
        <h2 id="closing">
          <Trans>Feeling sick is hard enough. Booking shouldn’t be.</Trans>
        </h2>
        <p>
          <Trans>Choose a doctor, choose a time, and know where to be and when.</Trans>
        </p>
      </div>
      <LinkButton href={action.href}>{t(action.label)}</LinkButton>
    </Inline>
  );
}
