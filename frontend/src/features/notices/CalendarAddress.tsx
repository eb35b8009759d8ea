import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { messageOf } from '@/api/errors';
import { calendarFeedQuery, dropCalendarFeed, makeCalendarFeed } from '@/api/notices';
import { formatInstant } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Copy } from '@/ui/Copy';
import { confirm } from '@/ui/confirm';
import { notify } from '@/ui/notices';
import styles from './notices.module.css';

/** A private address from which one's own calendar reads all visits. */
export function CalendarAddress() {
  const id = useId();
  const client = useQueryClient();
  const { data } = useQuery(calendarFeedQuery);
  const [address, setAddress] = useState('');
  const make = useMutation({
    mutationFn: makeCalendarFeed,
    onSuccess: ({ data: made }) => {
      setAddress(made.address);
      client.setQueryData(calendarFeedQuery.queryKey, { feed: made.feed });
    },
    onError: (error) => notify.error(messageOf(error, 'Failed to make an address')),
  });
  const drop = useMutation({
    mutationFn: dropCalendarFeed,
    onSuccess: () => {
      setAddress('');
      client.setQueryData(calendarFeedQuery.queryKey, { feed: null });
      notify.success('Calendar address taken back');
    },
    onError: (error) => notify.error(messageOf(error, 'Failed to take the address back')),
  });
  const feed = data?.feed;

  const makeAnother = async () => {
    const sure = await confirm({
      title: 'Make another calendar address?',
      body: 'The present one stops working. Calendars that use it show no news until they have the new one.',
      action: 'Make another address',
      dismiss: 'Keep the address',
    });
    if (sure) make.mutate();
  };
  const takeBack = async () => {
    const sure = await confirm({
      title: 'Take the calendar address back?',
      body: 'It stops working at once, and calendars that use it lose your visits.',
      action: 'Take it back',
      dismiss: 'Keep the address',
      tone: 'danger',
    });
    if (sure) drop.mutate();
  };

  return (
    <Card as="section" className="stack" aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        Your calendar
      </h2>
      <p className="muted">
        Give this private address to your calendar program, and it shows all your visits and keeps
        them up to date. Whoever has the address can see when and where you go, so share it with
        nobody.
      </p>
      {address && (
        <div className={styles.address} role="status">
          <p>
            <strong>Copy it now: it is shown this once.</strong>
          </p>
          <p className={styles.secret}>{address}</p>
          <div>
            <Copy text={address} what="calendar address" />
          </div>
        </div>
      )}
      {feed && !address && <p>You have had an address since {formatInstant(feed.createdAt)}.</p>}
      {data && (
        <div className={styles.calendar}>
          <Button
            variant="secondary"
            busy={make.isPending}
            busyLabel="Making..."
            onClick={() => (feed ? makeAnother() : make.mutate())}
          >
            {feed ? 'Make another address' : 'Make a calendar address'}
          </Button>
          {feed && (
            <Button
              variant="danger"
              busy={drop.isPending}
              busyLabel="Taking back..."
              onClick={takeBack}
            >
              Take it back
            </Button>
          )}
        </div>
      )}
    </Card>
  );
}
