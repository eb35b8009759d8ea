import { useLingui } from '@lingui/react/macro';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from '@/ui/Button';
import { CopyButton } from '@/ui/CopyButton';
import { Dialog } from '@/ui/Dialog';
import styles from './mfa.module.css';

interface RecoveryCodesState {
  /** Receives focus when the focused element disappears. */
  heading: RefObject<HTMLHeadingElement | null>;
  show: (codes: string[]) => void;
  dialog: ReactNode;
}

/**
 * Show new recovery codes, only this once. Afterwards, and when a change of `status` (the content
 * of the section) removed the focused element, the heading is focused.
 */
export function useRecoveryCodes(status: unknown): RecoveryCodesState {
  const [codes, setCodes] = useState<string[] | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef({ codes, status });
  useEffect(() => {
    const putAway = before.current.codes && !codes;
    const hasChanged = before.current.status && before.current.status !== status;
    if ((putAway || hasChanged) && document.activeElement === document.body)
      heading.current?.focus();
    before.current = { codes, status };
  }, [codes, status]);
  const dialog = codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />;
  return { heading, show: setCodes, dialog };
}

/** Only the button closes it, neither Escape nor a click outside. */
function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { t } = useLingui();
  return (
    <Dialog
      role="alertdialog"
      title={t`Save your recovery codes`}
      actions={
        <>
          <Button onClick={onDone}>{t`I’ve saved them`}</Button>
          <CopyButton text={codes.join('\n')} label={t`recovery codes`} />
        </>
      }
    >
      <p>
        {t`Each code lets you sign in once if you lose your app or passkey. Print them or write them down: we can’t show them again, and without them only our staff can help.`}
      </p>
      <ol className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}
