import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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

/** The queries that a notification may have changed. */
const AFFECTED_QUERY_KEYS = [
  'appointments',
  'appointment',
  'record',
  'workspace',
  'notices',
  'slots',
  'staff',
];
/**
 * Lists are refetched immediately for an active user, otherwise on the next activity:
 * each refetch keeps the session alive, and an unused session must expire.
 */
const ACTIVE_MS = 5 * 60_000;
const ACTIVITY_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'scroll'] as const;

/** Return a function that runs a callback now if the user is active, otherwise on the next activity. */
function useRunWhenActive() {
  const lastActivity = useRef(Date.now());
  const pendingRun = useRef<(() => void) | null>(null);
  useEffect(() => {
    const onActivity = () => {
      lastActivity.current = Date.now();
      pendingRun.current?.();
      pendingRun.current = null;
    };
    for (const name of ACTIVITY_EVENTS)
      window.addEventListener(name, onActivity, { passive: true });
    return () => {
      for (const name of ACTIVITY_EVENTS) window.removeEventListener(name, onActivity);
    };
  }, []);
  return useCallback((run: () => void) => {
    if (Date.now() - lastActivity.current < ACTIVE_MS) run();
    else pendingRun.current = run;
  }, []);
}

/** Return the bell's accessible name, such as "Notifications, 3 unread". */
export function bellLabel(unread: number): string {
  const count = unreadCount(unread);
  return unread > 0 ? t`Notifications, ${count} unread` : t`Notifications`;
}

/** Link to the notifications with the unread count; announces new notifications. */
export function Bell() {
  const client = useQueryClient();
  const runWhenActive = useRunWhenActive();
  const { data } = useQuery(unreadQuery);
  const unread = data?.unread ?? 0;
  const newest = data?.latest;
  const latestSeenId = useRef<number | undefined>(undefined);
  const [announcement, setAnnouncement] = useState<typeof newest>();

  useEffect(() => {
    if (!data) return;
    const before = latestSeenId.current;
    latestSeenId.current = Math.max(newest?._id ?? 0, before ?? 0);
    // After the newest is read, an older one is latest; ids only increase.
    if (before === undefined || !newest || newest._id <= before) return;
    setAnnouncement(newest);
    runWhenActive(() => {
      for (const key of AFFECTED_QUERY_KEYS) client.invalidateQueries({ queryKey: [key] });
    });
  }, [data, newest, client, runWhenActive]);

  const name = bellLabel(unread);
  const title = announcement?.title;
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
        {announcement && (
          <Trans>
            New notification: <span lang={announcement.language}>{title}</span>
          </Trans>
        )}
      </span>
    </>
  );
}
