import type { PrescribedItem } from '@/api/types';
import { Stack } from '@/ui/Stack';
import { dosageText } from './record';
import styles from './record.module.css';

/** The prescribed medicines with their dosage. */
export function MedicineList({ items }: { items: PrescribedItem[] }) {
  if (items.length === 0) return null;
  return (
    <Stack as="ul" gap={2} className={styles.medicines}>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same medicine may be listed twice.
        <li key={index}>
          <strong>{item.medicine}</strong>
          {dosageText(item) && <span className={styles.dosage}>{dosageText(item)}</span>}
        </li>
      ))}
    </Stack>
  );
}
