import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { messageOf } from '@/api/errors';
import { noticesQuery, readNotices, unreadCount, unreadQuery } from '@/api/notices';
import type { Notice, NoticeList } from '@/api/types';
import { formatInstant } from '@/lib/dates';
import { pageOf } from '@/lib/paging';
import { paths } from '@/lib/paths';
import { Badge } from '@/ui/Badge';
import { Button, LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Link } from '@/ui/Link';
import { notify } from '@/ui/notices';
import { PageHeading } from '@/ui/PageHeading';
import { Pagination } from '@/ui/Pagination';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { EmptyState, ErrorState } from '@/ui/states';
import { Tabs } from '@/ui/Tabs';
import styles from './notices.module.css';

/** What one was told, newest first, in the words of the mails. */
export default function NoticesPage() {
  const [params] = useSearchParams();
  const page = pageOf(params);
  const unread = params.has('unread') || undefined;
  const client = useQueryClient();
  const { data, isError, isFetching, refetch } = useQuery(noticesQuery({ page, unread }));
  const bell = useQuery(unreadQuery).data;
  const read = useRead();
  const heading = useRef<HTMLHeadingElement>(null);

  // The bell heard of something that this list, asked earlier, does not hold.
  const newest = bell?.latest;
  const news = page === 1 && data && newest && !data.notices.some(({ _id }) => _id === newest._id);

  return (
    <div className={styles.page}>
      <PageHeading
        ref={heading}
        lead="The same as we write to you, here for you to read again."
        actions={
          <LinkButton variant="secondary" href={paths.noticeSettings}>
            Settings
          </LinkButton>
        }
      >
        Notices
      </PageHeading>
      <div className={styles.bar}>
        <Tabs
          label="Which notices"
          current={unread ? 'unread' : 'all'}
          tabs={[
            { key: 'all', label: 'All', href: paths.notices() },
            {
              key: 'unread',
              label: 'Unread',
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
            Mark all as read
          </Button>
        )}
      </div>
      <div aria-live="polite" className={styles.news}>
        {news && (
          <Button
            variant="secondary"
            wide
            busy={isFetching}
            onClick={() => client.invalidateQueries({ queryKey: ['notices'] })}
          >
            Show what is new
          </Button>
        )}
      </div>
      {data ? (
        data.notices.length > 0 ? (
          <ul className={styles.list}>
            {data.notices.map((notice) => (
              <Row
                key={notice._id}
                notice={notice}
                onRead={() => read.mutate({ ids: [notice._id] })}
              />
            ))}
          </ul>
        ) : (
          <Nothing unread={Boolean(unread)} />
        )
      ) : isError ? (
        <ErrorState
          title="We could not load your notices"
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
          label="Pages of notices"
        />
      )}
    </div>
  );
}

/**
 * Mark as read, in the list and at the bell. The rows stay where they are until somebody asks anew,
 * also where only unread ones are listed.
 */
function useRead() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: readNotices,
    onSuccess: (_, which) => {
      const isMeant = ({ _id }: Notice) => 'all' in which || which.ids.includes(_id);
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
    onError: (error) => notify.error(messageOf(error, 'Failed to mark as read')),
  });
}

function Row({ notice, onRead }: { notice: Notice; onRead: () => void }) {
  const { title, lines, facts, path, label, at, read, language } = notice;
  const heading = useRef<HTMLHeadingElement>(null);
  return (
    <Card as="li" tight className={styles.notice} data-unread={read ? undefined : ''}>
      <h2 ref={heading} tabIndex={-1} lang={language} className={styles.title}>
        {title}
      </h2>
      <p className={styles.when}>
        <time dateTime={at}>{formatInstant(at)}</time>
        {!read && <Badge tone="primary">New</Badge>}
      </p>
      {lines.map((line) => (
        <p key={line} lang={language}>
          {line}
        </p>
      ))}
      {facts.length > 0 && (
        <dl lang={language} className={styles.facts}>
          {facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className={styles.acts}>
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
              // The button goes.
              heading.current?.focus();
            }}
          >
            Mark as read
            <span className="visually-hidden" lang={language}>
              : {title}
            </span>
          </Button>
        )}
      </div>
    </Card>
  );
}

function Nothing({ unread }: { unread: boolean }) {
  if (unread) {
    return (
      <EmptyState
        title="You have read everything"
        action={<LinkButton href={paths.notices()}>See all notices</LinkButton>}
      />
    );
  }
  return (
    <EmptyState title="There is nothing yet">
      What happens to your visits and your account is told here and by e-mail.
    </EmptyState>
  );
}
