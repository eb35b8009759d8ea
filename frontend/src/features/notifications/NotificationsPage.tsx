import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { messageOf } from '@/api/errors';
import {
  markNotificationsRead,
  notificationsQuery,
  unreadCount,
  unreadQuery,
} from '@/api/notifications';
import type { Notice, NoticeList } from '@/api/types';
import { formatInstant } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { pageParam } from '@/lib/searchParams';
import { Badge } from '@/ui/Badge';
import { Button, LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorState } from '@/ui/ErrorState';
import { FactList } from '@/ui/FactList';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { Pagination } from '@/ui/Pagination';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { Tabs } from '@/ui/Tabs';
import { Toolbar } from '@/ui/Toolbar';
import { toast } from '@/ui/toasts';
import styles from './notifications.module.css';

/** A user's notifications, newest first, with the texts of the emails. */
export default function NotificationsPage() {
  const { t } = useLingui();
  const [params] = useSearchParams();
  const page = pageParam(params);
  const unread = params.has('unread') || undefined;
  const client = useQueryClient();
  const { data, isError, isFetching, refetch } = useQuery(notificationsQuery({ page, unread }));
  const bell = useQuery(unreadQuery).data;
  const read = useMarkAsRead();
  const heading = useRef<HTMLHeadingElement>(null);

  // The bell has a newer notification than this list.
  const newest = bell?.latest;
  const news = page === 1 && data && newest && !data.notices.some(({ _id }) => _id === newest._id);

  return (
    <Stack gap={5} className="column">
      <PageHeading
        ref={heading}
        lead={t`Copies of the emails we’ve sent you.`}
        actions={
          <LinkButton variant="secondary" href={paths.noticeSettings}>
            {t`Settings`}
          </LinkButton>
        }
      >
        {t`Notifications`}
      </PageHeading>
      <Toolbar>
        <Tabs
          label={t`Filter notifications`}
          current={unread ? 'unread' : 'all'}
          tabs={[
            {
              key: 'all',
              label: t({ message: 'All', context: 'notifications' }),
              href: paths.notices(),
            },
            {
              key: 'unread',
              label: t({ message: 'Unread', context: 'notifications' }),
              href: paths.notices({ unread: 1 }),
              count: bell && unreadCount(bell.unread),
            },
          ]}
        />
        {bell && bell.unread > 0 && (
          <Button
            variant="secondary"
            busy={read.isPending && 'all' in read.variables}
            onClick={() =>
              read.mutate({ all: true }, { onSuccess: () => heading.current?.focus() })
            }
          >
            {t`Mark all as read`}
          </Button>
        )}
      </Toolbar>
      <div aria-live="polite" className={styles.liveRegion}>
        {news && (
          <Button
            variant="secondary"
            wide
            busy={isFetching}
            onClick={() => client.invalidateQueries({ queryKey: ['notices'] })}
          >
            {t`Show new notifications`}
          </Button>
        )}
      </div>
      {data ? (
        data.notices.length > 0 ? (
          <Stack as="ul" gap={3}>
            {data.notices.map((notice) => (
              <Row
                key={notice._id}
                notice={notice}
                onRead={() => read.mutate({ ids: [notice._id] })}
              />
            ))}
          </Stack>
        ) : (
          <EmptyList unread={Boolean(unread)} />
        )
      ) : isError ? (
        <ErrorState
          title={t`We couldn’t load your notifications`}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : (
        <Skeletons count={4}>
          <Skeleton height={132} />
        </Skeletons>
      )}
      {data && (
        <Pagination
          page={page}
          hasNext={data.pagination.hasNext}
          href={(to) => paths.notices({ unread: unread && 1, page: to })}
          label={t`Pages of notifications`}
        />
      )}
    </Stack>
  );
}

/**
 * Mark as read, in the list and in the bell. Rows stay until the list is refetched, even if only
 * unread ones are listed.
 */
function useMarkAsRead() {
  const { t } = useLingui();
  const client = useQueryClient();
  return useMutation({
    mutationFn: markNotificationsRead,
    onSuccess: (_, ids) => {
      const isMeant = ({ _id }: Notice) => ids.all || ids.ids?.includes(_id);
      client.setQueriesData<NoticeList>(
        { queryKey: ['notices'] },
        (list) =>
          list && {
            ...list,
            notices: list.notices.map((each) => (isMeant(each) ? { ...each, read: true } : each)),
          },
      );
      client.invalidateQueries({ queryKey: ['notices'], refetchType: 'none' });
      return client.invalidateQueries(unreadQuery);
    },
    onError: (error) => toast.error(messageOf(error, t`We couldn’t mark it as read`)),
  });
}

function Row({ notice, onRead }: { notice: Notice; onRead: () => void }) {
  const { t } = useLingui();
  const { title, lines, facts, path, label, at, read, language } = notice;
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <Card as="li" tight gap={1} className={styles.notification} data-unread={read ? undefined : ''}>
      <h2 ref={heading} tabIndex={-1} lang={language} className="subheading">
        {title}
      </h2>
      <Inline as="p" rowGap={1} className="muted small">
        <time dateTime={at}>{formatInstant(at)}</time>
        {!read && <Badge tone="primary">{t({ message: 'New', context: 'notification' })}</Badge>}
      </Inline>
      {lines.map((line) => (
        <p key={line} lang={language}>
          {line}
        </p>
      ))}
      {facts.length > 0 && (
        <FactList lang={language} className={styles.facts}>
          {facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </FactList>
      )}
      <Inline rowGap={2} gap={4} className={styles.actions}>
        {path && (
          <Link href={path} lang={language} onClick={read ? undefined : onRead}>
            {label}
            <span className="visually-hidden">: {title}</span>
          </Link>
        )}
        {!read && (
          <Button
            variant="quiet"
            onClick={() => {
              onRead();
              // The button disappears.
              heading.current?.focus();
            }}
          >
            <Trans>
              Mark as read
              <span className="visually-hidden" lang={language}>
                : {title}
              </span>
            </Trans>
          </Button>
        )}
      </Inline>
    </Card>
  );
}

function EmptyList({ unread }: { unread: boolean }) {
  const { t } = useLingui();
  if (unread) {
    return (
      <EmptyState
        title={t`You’re all caught up`}
        action={<LinkButton href={paths.notices()}>{t`See all notifications`}</LinkButton>}
      />
    );
  }
  return (
    <EmptyState title={t`No notifications yet`}>
      {t`We’ll notify you here and by email about your appointments and your account.`}
    </EmptyState>
  );
}
