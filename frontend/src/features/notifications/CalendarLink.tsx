import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { messageOf } from '@/api/errors';
import { calendarFeedQuery, createCalendarFeed, deleteCalendarFeed } from '@/api/notifications';
import { formatInstant } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { CopyButton } from '@/ui/CopyButton';
import { confirm } from '@/ui/confirm';
import { Inline } from '@/ui/Inline';
import { Stack } from '@/ui/Stack';
import { toast } from '@/ui/toasts';
import styles from './notifications.module.css';

/** The private link to subscribe to all of a user's appointments in a calendar app. */
export function CalendarLink() {
  const id = useId();
  const client = useQueryClient();
  const { data } = useQuery(calendarFeedQuery);
  const [address, setAddress] = useState('');
  const make = useMutation({
    mutationFn: createCalendarFeed,
    onSuccess: ({ data: made }) => {
      setAddress(made.address);
      client.setQueryData(calendarFeedQuery.queryKey, { feed: made.feed });
    },
    onError: (error) => toast.error(messageOf(error, 'We couldn’t create the link')),
  });
  const drop = useMutation({
    mutationFn: deleteCalendarFeed,
    onSuccess: () => {
      setAddress('');
      client.setQueryData(calendarFeedQuery.queryKey, { feed: null });
      toast.success('Calendar link removed');
    },
    onError: (error) => toast.error(messageOf(error, 'We couldn’t remove the link')),
  });
  const feed = data?.feed;

  const replaceLink = async () => {
    const sure = await confirm({
      title: 'Create a new calendar link?',
      body: 'Your current link stops working. Calendar apps that use it won’t update until you add the new one.',
      action: 'Create new link',
      dismiss: 'Keep current link',
    });
    if (sure) make.mutate();
  };
  const removeLink = async () => {
    const sure = await confirm({
      title: 'Remove the calendar link?',
      body: 'It stops working right away, and your appointments disappear from calendar apps that use it.',
      action: 'Remove link',
      dismiss: 'Keep link',
      tone: 'danger',
    });
    if (sure) drop.mutate();
  };

  return (
    <Card as="section" gap={4} aria-labelledby={id}>
      <h2 id={id} className="subheading">
        Private calendar link
      </h2>
      <p className="muted">
        Add a private link to your calendar app to see all your appointments there, always up to
        date. Anyone with the link can see when and where your appointments are, so don’t share it.
      </p>
      {address && (
        <Stack gap={2} className={styles.address} role="status">
          <p>
            <strong>Copy it now. We won’t show it again.</strong>
          </p>
          <p className={styles.secret}>{address}</p>
          <div>
            <CopyButton text={address} label="calendar link" />
          </div>
        </Stack>
      )}
      {feed && !address && <p>You created a link on {formatInstant(feed.createdAt)}.</p>}
      {data && (
        <Inline align="stretch">
          <Button
            variant="secondary"
            busy={make.isPending}
            busyLabel="Creating..."
            onClick={() => (feed ? replaceLink() : make.mutate())}
          >
            {feed ? 'Create new link' : 'Create calendar link'}
          </Button>
          {feed && (
            <Button
              variant="danger"
              busy={drop.isPending}
              busyLabel="Removing..."
              onClick={removeLink}
            >
              Remove link
            </Button>
          )}
        </Inline>
      )}
    </Card>
  );
}
