import type { ReactNode } from 'react';
import { Card } from '@/ui/Card';
import { PageHeading } from '@/ui/PageHeading';
import styles from './auth.module.css';

/** A mailed link that can do nothing: incomplete, used or too old. */
export function DeadLink({ children, action }: { children: ReactNode; action: ReactNode }) {
  return (
    <div className={styles.column}>
      <PageHeading>This link does not work any more</PageHeading>
      <Card className="stack">
        <p>{children}</p>
        <p className="muted">
          If your mail programme broke the link over two lines, copy all of it into the address bar.
        </p>
        <div>{action}</div>
      </Card>
    </div>
  );
}
