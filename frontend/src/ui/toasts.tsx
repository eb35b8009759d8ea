import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Banner } from './Banner';
import { Button } from './Button';
import styles from './toasts.module.css';
import { useFloatingPosition } from './useFloatingPosition';

/** Successes disappear after this time, unless hovered, focused or with an action such as Undo. */
export const SUCCESS_MS = 3000;

/** An action of a message, such as "Undo". */
interface ToastAction {
  label: string;
  run: () => void;
}

/** Details of an error that is shown away from its form or row. */
interface ErrorDetails {
  /** What the error is about: "Amina Yusuf, Tue, Dec 8, 2:00 PM". */
  title?: string;
  /** Text the user had typed: shown with the error until dismissed, for copying. */
  typedText?: string;
}

interface Toast extends ErrorDetails {
  id: number;
  tone: 'success' | 'error';
  text: string;
  action?: ToastAction;
  /** Only announced, because the page shows it itself. */
  isSpokenOnly?: boolean;
}

let currentToasts: readonly Toast[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]) {
  currentToasts = next;
  for (const listener of listeners) listener();
}

function add(notice: Omit<Toast, 'id'>) {
  // A repeated message shows once, and a later one replaces an earlier error or undo. Only typed
  // text stays until dismissed, because it exists nowhere else.
  const others = currentToasts.filter(
    (each) =>
      each.typedText || (each.text !== notice.text && each.tone !== 'error' && !each.action),
  );
  change([...others, { id: nextId++, ...notice }]);
}

function dismiss(id: number) {
  change(currentToasts.filter((each) => each.id !== id));
}

/** Show a message: `toast.success` disappears by itself, `toast.error` stays. */
export const toast = {
  success: (text: string, action?: ToastAction) => add({ tone: 'success', text, action }),
  /** Announce a message that the page shows itself. */
  announce: (text: string) => add({ tone: 'success', text, isSpokenOnly: true }),
  error: (text: string, details: ErrorDetails = {}) => add({ tone: 'error', text, ...details }),
  clear: () => change([]),
};

const current = () => currentToasts;

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The container that shows and announces messages; the layout renders it once. */
export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, current, current);
  const place = useRef<HTMLDivElement>(null);
  useFloatingPosition(place, toasts.length > 0);
  return (
    <div ref={place} className={styles.container} data-print="no">
      <Region
        live="polite"
        role="status"
        toasts={toasts.filter((each) => each.tone === 'success')}
      />
      <Region
        live="assertive"
        role="alert"
        toasts={toasts.filter((each) => each.tone === 'error')}
      />
    </div>
  );
}

interface RegionProps {
  live: 'polite' | 'assertive';
  role: 'status' | 'alert';
  toasts: readonly Toast[];
}

/** Always rendered, so that changes are announced; has a role only while there is a message. */
function Region({ live, role, toasts }: RegionProps) {
  return (
    <div aria-live={live} role={toasts.length > 0 ? role : undefined} className={styles.region}>
      {toasts.map((notice) => (
        <ToastItem key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function ToastItem({ notice }: { notice: Toast }) {
  const [isHeld, setIsHeld] = useState(false);
  const { action } = notice;
  const isLeaving = notice.tone === 'success' && !isHeld && !action;

  useEffect(() => {
    if (!isLeaving) return;
    const timer = setTimeout(() => dismiss(notice.id), SUCCESS_MS);
    return () => clearTimeout(timer);
  }, [isLeaving, notice.id]);

  if (notice.isSpokenOnly) return <p className="visually-hidden">{notice.text}</p>;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only pauses the timer while hovered.
    <div
      className={styles.toast}
      onMouseEnter={() => setIsHeld(true)}
      onMouseLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <Banner tone={notice.tone} title={notice.title} onDismiss={() => dismiss(notice.id)}>
        {notice.text}
        {notice.typedText && <TypedText text={notice.typedText} />}
        {action && (
          <div className={styles.action}>
            <Button
              variant="secondary"
              onClick={() => {
                dismiss(notice.id);
                action.run();
              }}
            >
              {action.label}
            </Button>
          </div>
        )}
      </Banner>
    </div>
  );
}

/** The text that was not saved. */
function TypedText({ text }: { text: string }) {
  const { t } = useLingui();
  const [isCopied, setIsCopied] = useState(false);
  return (
    <div className={styles.typed}>
      <p>
        <Trans>
          Your text wasn’t saved: <q>{text}</q>
        </Trans>
      </p>
      <Button
        variant="secondary"
        onClick={() =>
          navigator.clipboard.writeText(text).then(
            () => setIsCopied(true),
            // The text can still be selected and copied.
            () => {},
          )
        }
      >
        {isCopied ? t`Copied` : t`Copy text`}
      </Button>
    </div>
  );
}
