import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from '@/ui/Button';
import { Copy } from '@/ui/Copy';
import { Dialog } from '@/ui/Dialog';
import styles from './secondStep.module.css';

interface Shown {
  /** Takes the focus once the codes are put away, where what asked for them is gone. */
  heading: RefObject<HTMLHeadingElement | null>;
  show: (codes: string[]) => void;
  dialog: ReactNode;
}

/** Show new recovery codes, this once. */
export function useRecoveryCodes(): Shown {
  const [codes, setCodes] = useState<string[] | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const wereShown = useRef(false);
  useEffect(() => {
    if (wereShown.current && !codes && document.activeElement === document.body) {
      heading.current?.focus();
    }
    wereShown.current = codes !== null;
  }, [codes]);
  const dialog = codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />;
  return { heading, show: setCodes, dialog };
}

/** Nothing but the button puts them away: neither Escape nor a click beside them. */
function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Dialog
      role="alertdialog"
      title="Keep your recovery codes"
      actions={
        <>
          <Button onClick={onDone}>I have kept them</Button>
          <Copy text={codes.join('\n')} what="recovery codes" />
        </>
      }
    >
      <p>
        Each lets you in once when your app or passkey is lost. Print them or write them down: they
        can’t be shown again, and without them only our staff can help.
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
