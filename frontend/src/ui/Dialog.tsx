import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { IconButton } from './Button';
import styles from './Dialog.module.css';
import { CloseIcon } from './icons';

interface Props {
  title: string;
  /**
   * Called by Escape, the cross or a click outside; without it only `actions` can close the dialog.
   */
  onClose?: () => void;
  children?: ReactNode;
  /** The buttons, the main one first. */
  actions?: ReactNode;
  /** For questions: ignore clicks outside. */
  role?: 'dialog' | 'alertdialog';
}

/** A native modal dialog: render it to open it. Focus returns to the previous element. */
export function Dialog({ title, onClose, children, actions, role = 'dialog' }: Props) {
  const { t } = useLingui();
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();

  useEffect(() => {
    const dialog = ref.current;
    const opener = document.activeElement;
    dialog?.showModal();
    // The browser focuses the first button, which would scroll a tall dialog to its end.
    if (dialog) dialog.scrollTop = 0;
    return () => {
      dialog?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard equivalent.
    <dialog
      ref={ref}
      role={role}
      className={styles.dialog}
      data-stays={onClose ? undefined : ''}
      aria-labelledby={`${id}-title`}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={() => {
        // Browsers close the dialog at a second Escape even if `cancel` is prevented.
        if (!onClose && !ref.current?.open) ref.current?.showModal();
      }}
      onClick={(event) => {
        if (role === 'dialog' && event.target === ref.current) onClose?.();
      }}
    >
      <div className={styles.body}>
        <div className={styles.header}>
          <h2 id={`${id}-title`}>{title}</h2>
          {role === 'dialog' && onClose && (
            <IconButton label={t`Close`} onClick={onClose}>
              <CloseIcon />
            </IconButton>
          )}
        </div>
        {children}
        {actions && <div className={styles.actions}>{actions}</div>}
      </div>
    </dialog>
  );
}
