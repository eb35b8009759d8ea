import { Trans } from '@lingui/react/macro';
import styles from './SkipLink.module.css';

/** The first tab stop, to skip the header. */
export function SkipLink() {
  return (
    // biome-ignore lint/a11y/useValidAnchor: it is a link within the page; the router must not see the hash.
    <a
      className={styles.skip}
      href="#main"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById('main')?.focus();
      }}
    >
      <Trans>Skip to main content</Trans>
    </a>
  );
}
