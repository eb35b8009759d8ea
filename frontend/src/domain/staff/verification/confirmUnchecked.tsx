import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { doctorName } from '@/lib/names';
import { confirm } from '@/ui/confirm';
import styles from './decision.module.css';

/** Confirm an approval with unchecked items. */
export function confirmUnchecked(name: string, uncheckedItems: string[]): Promise<boolean> {
  const doctor = doctorName(name);
  return confirm({
    title: t`Approve ${doctor} without having checked everything?`,
    body: (
      <>
        <p>
          <Trans>Not checked:</Trans>
        </p>
        <ul className={styles.missing}>
          {uncheckedItems.map((check) => (
            <li key={check}>{check}</li>
          ))}
        </ul>
      </>
    ),
    action: t`Approve anyway`,
    tone: 'danger',
  });
}
