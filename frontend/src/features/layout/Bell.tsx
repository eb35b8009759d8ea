import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { unreadCount, unreadQuery } from '@/api/notices';
import { paths } from '@/lib/paths';
import { icon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import styles from './Bell.module.css';

const BellIcon = icon(
  <path d="M6.500 16.500V11a5.500 5.500 0 0 1 11 0v5.500l1.500 1.500h-14ZM10 20.500a2.200 2.200 0 0 0 4 0" />,
);

/** What a notice may tell of; kept as it is until somebody looks, since asking anew would count as being there. */
const TOLD_OF = ['appointments', 'appointment', 'visit', 'desk', 'notices'];

/** "Notices, 3 unread": the bell's name, which holds what the eye sees. */
export function bellName(unread: number): string {
  return unread > 0 ? `Notices, ${unreadCount(unread)} unread` : 'Notices';
}

/** The way to the notices; it says how many are unread, and reads out what comes while one is here. */
export function Bell() {
  const client = useQueryClient();
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
    for (const key of TOLD_OF) {
      client.invalidateQueries({ queryKey: [key], refetchType: 'none' });
    }
  }, [data, newest, client]);

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
            New notice: <span lang={news.language}>{news.title}</span>
          </>
        )}
      </span>
    </>
  );
}
