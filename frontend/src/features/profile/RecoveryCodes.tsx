import { Button } from '@/ui/Button';
import { Copy } from '@/ui/Copy';
import { Dialog } from '@/ui/Dialog';
import styles from './secondStep.module.css';

/** New recovery codes, this once. A click beside them does not put them away. */
export default function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Dialog
      role="alertdialog"
      title="Keep your recovery codes"
      onClose={onDone}
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
