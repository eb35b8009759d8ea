import { useEffect, useState, useSyncExternalStore } from 'react';
import { Banner } from './Banner';
import { Button } from './Button';
import styles from './notices.module.css';

/** Success goes after this long, unless hovered or focused, or unless something can be done about it. */
const SUCCESS_MS = 3000;

/** What can be done about what happened: "Undo". */
interface Act {
  label: string;
  run: () => void;
}

interface Notice {
  id: number;
  tone: 'success' | 'error';
  text: string;
  act?: Act;
}

let notices: readonly Notice[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function change(next: readonly Notice[]) {
  notices = next;
  for (const listener of listeners) listener();
}

function add(tone: Notice['tone'], text: string, act?: Act) {
  // The same sentence twice is one notice, said anew; a success answers an earlier error, and what
  // could be done about something earlier may fit no more.
  const others = notices.filter((each) => each.text !== text && each.tone !== 'error' && !each.act);
  change([...others, { id: nextId++, tone, text, act }]);
}

function dismiss(id: number) {
  change(notices.filter((each) => each.id !== id));
}

/** Tell the person something: `notify.success` goes by itself, `notify.error` stays. */
export const notify = {
  success: (text: string, act?: Act) => add('success', text, act),
  error: (text: string) => add('error', text),
  clear: () => change([]),
};

const current = () => notices;

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Where notices appear and are announced, once each; the layout renders it once. */
export function Notices() {
  const shown = useSyncExternalStore(subscribe, current, current);
  return (
    <div className={styles.place} data-print="no">
      <Region live="polite" role="status" shown={shown.filter((each) => each.tone === 'success')} />
      <Region live="assertive" role="alert" shown={shown.filter((each) => each.tone === 'error')} />
    </div>
  );
}

interface RegionProps {
  live: 'polite' | 'assertive';
  role: 'status' | 'alert';
  shown: readonly Notice[];
}

/** Always there, so that what comes into it is read out; it has a role only while it says something. */
function Region({ live, role, shown }: RegionProps) {
  return (
    <div aria-live={live} role={shown.length > 0 ? role : undefined} className={styles.region}>
      {shown.map((notice) => (
        <NoticeItem key={notice.id} notice={notice} />
      ))}
    </div>
  );
}

function NoticeItem({ notice }: { notice: Notice }) {
  const [held, setHeld] = useState(false);
  const { act } = notice;
  const goes = notice.tone === 'success' && !held && !act;

  useEffect(() => {
    if (!goes) return;
    const timer = setTimeout(() => dismiss(notice.id), SUCCESS_MS);
    return () => clearTimeout(timer);
  }, [goes, notice.id]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only watches, so as not to vanish while read.
    <div
      className={styles.notice}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Banner tone={notice.tone} onDismiss={() => dismiss(notice.id)}>
        {notice.text}
        {act && (
          <div className={styles.act}>
            <Button
              variant="secondary"
              onClick={() => {
                dismiss(notice.id);
                act.run();
              }}
            >
              {act.label}
            </Button>
          </div>
        )}
      </Banner>
    </div>
  );
}
