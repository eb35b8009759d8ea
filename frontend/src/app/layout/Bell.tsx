import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { unreadCount, unreadQuery } from '@/api/notifications';
import { paths } from '@/lib/paths';
import { icon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import styles from './Bell.module.css';

const BellIcon = icon(
  <path d="M6.500 16.500V11a5.500 5.500 0 0 1 11 0v5.500l1.500 1.500h-14ZM10 20.500a2.200 2.200 0 0 0 4 0" />,
);

/** The data that a notification can be about. */
const AFFECTED = ['appointments', 'appointment', 'visit', 'desk', 'notices', 'slots', 'staff'];
/**
 * Lists are refetched at once for somebody who is here. For anybody else they wait for a sign of life:
 * each refetch keeps the session alive, and one that nobody uses must end.
 */
const PRESENT_MS = 5 * 60_000;
const SIGNS_OF_LIFE = ['pointerdown', 'pointermove', 'keydown', 'scroll'] as const;

/** Call back at once when the person is here, otherwise as soon as they are again. */
function useWhenPresent() {
  const lastSign = useRef(Date.now());
  const waiting = useRef<(() => void) | null>(null);
  useEffect(() => {
    const onSign = () => {
      lastSign.current = Date.now();
      waiting.current?.();
      waiting.current = null;
    };
    for (const name of SIGNS_OF_LIFE) window.addEventListener(name, onSign, { passive: true });
    return () => {
      for (const name of SIGNS_OF_LIFE) window.removeEventListener(name, onSign);
    };
  }, []);
  return useCallback((run: () => void) => {
    if (Date.now() - lastSign.current < PRESENT_MS) run();
    else waiting.current = run;
  }, []);
}

/** Return the bell's accessible name, such as "Notifications, 3 unread". */
export function bellName(unread: number): string {
  return unread > 0 ? `Notifications, ${unreadCount(unread)} unread` : 'Notifications';
}

/** The way to the notices; it says how many are unread, and reads out what comes while one is here. */
export function Bell() {
  const client = useQueryClient();
  const whenPresent = useWhenPresent();
  const { data } = useQuery(unreadQuery);
  const unread = data?.unread ?? 0;
  const newest = data?.latest;
  const seen = useRef<number | undefined>(undefined);
  const [news, setNews] = useState<typeof newest>();

  useEffect(() => {
    if (!data) return;
    const before = seen.current;
    seen.current = Math.max(newest?._id ?? 0, before ?? 0);
    // Reading the newest brings an older one to the front; ids rise.
    if (before === undefined || !newest || newest._id <= before) return;
    setNews(newest);
    whenPresent(() => {
      for (const key of AFFECTED) client.invalidateQueries({ queryKey: [key] });
    });
  }, [data, newest, client, whenPresent]);

  const name = bellName(unread);
  return (
    <>
      <Link href={paths.notices()} className={styles.bell} aria-label={name} title={name}>
        <BellIcon size={26} />
        {unread > 0 && (
          <span className={styles.count} aria-hidden="true">
            {unreadCount(unread)}
          </span>
        )}
      </Link>
      <span className="visually-hidden" aria-live="polite">
        {news && (
          <>
            New notification: <span lang={news.language}>{news.title}</span>
          </>
        )}
      </span>
    </>
  );
}
