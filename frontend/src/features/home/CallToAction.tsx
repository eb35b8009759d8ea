import { LogoMark } from '@/domain/Logo';
import { LinkButton } from '@/ui/Button';
import { Inline } from '@/ui/Inline';
import styles from './CallToAction.module.css';

/** The final call to action. */
export function CallToAction({ action }: { action: { label: string; href: string } }) {
  return (
    <Inline as="section" gap={5} className={styles.callToAction} aria-labelledby="closing">
      <LogoMark size={56} />
      <div className={styles.text}>
        <h2 id="closing">Feeling unwell is hard enough. Booking should not be.</h2>
        <p>Choose a doctor, choose an hour, and know where to be and when.</p>
      </div>
      <LinkButton href={action.href}>{action.label}</LinkButton>
    </Inline>
  );
}
