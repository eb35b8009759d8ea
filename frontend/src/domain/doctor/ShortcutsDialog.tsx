import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { readStorage, writeStorage } from '@/lib/storage';
import { Button } from '@/ui/Button';
import { Checkbox } from '@/ui/Checkbox';
import { Dialog } from '@/ui/Dialog';
import { Stack } from '@/ui/Stack';
import styles from './ShortcutsDialog.module.css';
import {
  actionForKey,
  clickInRow,
  focusNextRow,
  keyLabel,
  SHORTCUTS,
  type ShortcutAction,
} from './shortcuts';

const PREFERENCE = 'deskShortcuts';

/** Shortcuts of every page. */
const COMMON_HANDLERS: Partial<Record<ShortcutAction, () => void>> = {
  next: () => focusNextRow(1),
  previous: () => focusNextRow(-1),
  open: () => clickInRow('open'),
  confirm: () => clickInRow('confirm'),
  undo: () => clickInRow('undo'),
};

/** One key, or two that do the same. */
function Keys({ keys: [first, second] }: { keys: readonly [string, string?] }) {
  const firstKey = <kbd>{keyLabel(first)}</kbd>;
  if (!second) return firstKey;
  const secondKey = <kbd>{keyLabel(second)}</kbd>;
  return (
    <Trans>
      {firstKey} or {secondKey}
    </Trans>
  );
}

/**
 * Handle the single-key shortcuts of the doctor's pages, and list them. They can be turned off,
 * since speech input could trigger them (WCAG 2.1.4).
 */
export function ShortcutsDialog({
  handlers,
}: {
  handlers: Partial<Record<ShortcutAction, () => void>>;
}) {
  const { t } = useLingui();
  const [shown, setShown] = useState(false);
  const [on, setOn] = useState(() => readStorage(PREFERENCE) !== 'off');
  const all: Partial<Record<ShortcutAction, () => void>> = {
    ...COMMON_HANDLERS,
    ...handlers,
    help: () => setShown(true),
  };
  const latest = useRef(all);
  useEffect(() => {
    latest.current = all;
  });

  useEffect(() => {
    if (!on) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const act = actionForKey(event);
      const run = act && latest.current[act];
      if (!run) return;
      event.preventDefault();
      run();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [on]);

  return (
    <>
      <div className={styles.trigger} data-print="no">
        <Button variant="quiet" onClick={() => setShown(true)}>
          <Trans>Keyboard shortcuts</Trans>
        </Button>
      </div>
      {shown && (
        <Dialog title={t`Keyboard shortcuts`} onClose={() => setShown(false)}>
          <Stack as="dl" gap={0} className={styles.shortcuts} data-off={on ? undefined : ''}>
            {SHORTCUTS.filter(({ action }) => all[action]).map(({ action, keys, label }) => (
              <div key={action}>
                <dt>
                  <Keys keys={keys} />
                </dt>
                <dd>{t(label)}</dd>
              </div>
            ))}
          </Stack>
          <Checkbox
            name="shortcuts"
            label={t`Use these keys`}
            hint={t`They do nothing while you type. We remember your choice in this browser.`}
            value={on}
            onChange={(isEnabled) => {
              setOn(isEnabled);
              writeStorage(PREFERENCE, isEnabled ? null : 'off');
            }}
          />
        </Dialog>
      )}
    </>
  );
}
