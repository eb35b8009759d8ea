import { Link } from './Link';
import styles from './Tabs.module.css';

interface Tab {
  key: string;
  label: string;
  href: string;
  count?: string | number;
}

/** A segmented filter stored in the URL: links, with the current one marked. */
export function Tabs({ tabs, current, label }: { tabs: Tab[]; current: string; label: string }) {
  return (
    <nav aria-label={label} className={styles.tabs}>
      {tabs.map((tab) => (
        <Link
          key={tab.key}
          href={tab.href}
          keepScroll
          className={styles.tab}
          aria-current={tab.key === current ? 'page' : undefined}
        >
          {tab.label} {tab.count !== undefined && <span className={styles.count}>{tab.count}</span>}
        </Link>
      ))}
    </nav>
  );
}
