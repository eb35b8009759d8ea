import { doctorName } from '@/lib/names';
import { confirm } from '@/ui/confirm';
import styles from './decision.module.css';

/** Ask whether to approve although some checks were not made. */
export function confirmUnchecked(name: string, left: string[]): Promise<boolean> {
  return confirm({
    title: `Approve ${doctorName(name)} without having checked everything?`,
    body: (
      <>
        <p>Not checked:</p>
        <ul className={styles.missing}>
          {left.map((check) => (
            <li key={check}>{check}</li>
          ))}
        </ul>
      </>
    ),
    action: 'Approve anyway',
    tone: 'danger',
  });
}
