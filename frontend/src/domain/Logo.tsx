import { getSiteSettings } from '@/lib/siteSettings';
import styles from './Logo.module.css';

/** The logo: a clock face whose hands, at ten past ten, form a check mark. */
export function LogoMark({ size = 36 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 40 40" aria-hidden="true" className={styles.mark}>
      <path className={styles.ring} d="M31.8 9.6a16 16 0 1 1-5.6-4.3" />
      <circle className={styles.dot} cx="30.3" cy="7" r="2.6" />
      <path className={styles.hands} d="m12.5 18 6.7 7.5L29 13.5" />
    </svg>
  );
}

export function Logo() {
  return (
    <span className={styles.logo}>
      <LogoMark />
      <span className={styles.word}>{getSiteSettings().siteName}</span>
    </span>
  );
}
