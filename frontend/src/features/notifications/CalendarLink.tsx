import { useLingui } from '@lingui/react/macro';
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
  const { t } = useLingui();
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
    onError: (error) => toast.error(messageOf(error, t`We couldn’t create the link`)),
  });
  const drop = useMutation({
    mutationFn: deleteCalendarFeed,
    onSuccess: () => {
      setAddress('');
      client.setQueryData(calendarFeedQuery.queryKey, { feed: null });
      toast.success(t`Calendar link removed`);
    },
    onError: (error) => toast.error(messageOf(error, t`We couldn’t remove the link`)),
  });
  const feed = data?.feed;
  const createdAt = feed && formatInstant(feed.createdAt);

  const replaceLink = async () => {
    const sure = await confirm({
      title: t`Create a new calendar link?`,
      body: t`Your current link will stop working. Calendar apps that use it won’t update until you add the new one.`,
      action: t`Create new link`,
      dismiss: t`Keep current link`,
    });
    if (sure) make.mutate();
  };
  const removeLink = async () => {
    const sure = await confirm({
      title: t`Remove the calendar link?`,
      body: t`It will stop working right away, and your appointments will disappear from calendar apps that use it.`,
      action: t`Remove link`,
      dismiss: t`Keep link`,
      tone: 'danger',
    });
    if (sure) drop.mutate();
  };

  return (
    <Card as="section" gap={4} aria-labelledby={id}>
      <h2 id={id} className="subheading">
        {t`Private calendar link`}
      </h2>
      <p className="muted">
        {t`Add a private link to your calendar app to see all your appointments there, always up to date. Anyone with the link can see when and where your appointments are, so don’t share it.`}
      </p>
      {address && (
        <Stack gap={2} className={styles.address} role="status">
          <p>
            <strong>{t`Copy it now. We won’t show it again.`}</strong>
          </p>
          <p className={styles.secret}>{address}</p>
          <div>
            <CopyButton text={address} label={t`calendar link`} />
          </div>
        </Stack>
      )}
      {feed && !address && <p>{t`You created a link on ${createdAt}.`}</p>}
      {data && (
        <Inline align="stretch">
          <Button
            variant="secondary"
            busy={make.isPending}
            busyLabel={t`Creating...`}
            onClick={() => (feed ? replaceLink() : make.mutate())}
          >
            {feed ? t`Create new link` : t`Create calendar link`}
          </Button>
          {feed && (
            <Button
              variant="danger"
              busy={drop.isPending}
              busyLabel={t`Removing...`}
              onClick={removeLink}
            >
              {t`Remove link`}
            </Button>
          )}
        </Inline>
      )}
    </Card>
  );
}
