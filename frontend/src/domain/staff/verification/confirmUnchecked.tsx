import { doctorName } from '@/lib/names';
import { confirm } from '@/ui/confirm';
import styles from './decision.module.css';

/** Confirm an approval with unchecked items. */
export function confirmUnchecked(name: string, uncheckedItems: string[]): Promise<boolean> {
  return confirm({
    title: `Approve ${doctorName(name)} without having checked everything?`,
    body: (
      <>
        <p>Not checked:</p>
        <ul className={styles.missing}>
          {uncheckedItems.map((check) => (
            <li key={check}>{check}</li>
          ))}
        </ul>
      </>
    ),
    action: 'Approve anyway',
    tone: 'danger',
  });
}
