import { useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '@/api/errors';
import { noticeSettingsQuery, saveNoticeSettings } from '@/api/notices';
import type { NoticeSettings } from '@/api/types';
import { BackLink } from '@/domain/BackLink';
import { useUser } from '@/domain/session/session';
import { browserZone, zoneLabel } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { CheckboxGroup } from '@/ui/choices';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { CheckIcon } from '@/ui/icons';
import { Select, TextInput } from '@/ui/inputs';
import { notify } from '@/ui/notices';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/states';
import { useForm } from '@/ui/useForm';
import { CalendarAddress } from './CalendarAddress';
import { ChannelTable } from './ChannelTable';
import { alwaysOn, checkQuietHours, choicesOf, kindsOf, offsetLabel, settingsOf } from './choices';
import styles from './notices.module.css';

/** What one is told, how, when and in which language. */
export default function NoticeSettingsPage() {
  const { data, isError, isFetching, refetch } = useQuery(noticeSettingsQuery);
  return (
    <div className={styles.page}>
      <BackLink href={paths.profile}>Profile</BackLink>
      {data ? (
        <Settings settings={data} />
      ) : (
        <>
          <PageHeading>Messages and reminders</PageHeading>
          {isError ? (
            <ErrorState
              title="We could not load your settings"
              onRetry={() => void refetch()}
              busy={isFetching}
            />
          ) : (
            <Skeletons count={3}>
              <Skeleton height={160} />
            </Skeletons>
          )}
        </>
      )}
    </div>
  );
}

function Settings({ settings }: { settings: NoticeSettings }) {
  const { role } = useUser();
  const client = useQueryClient();
  const kinds = kindsOf(role);
  const form = useForm({
    values: choicesOf(settings),
    validate: checkQuietHours,
    submit: async (values) => {
      const { data, message } = await saveNoticeSettings(settingsOf(values, role));
      client.setQueryData(noticeSettingsQuery.queryKey, data);
      // The bell's notices may be in another language now.
      await client.invalidateQueries({ queryKey: ['notices'], refetchType: 'none' });
      notify.success(message || 'Settings saved');
    },
    message: (error) => messageOf(error, 'Failed to save the settings'),
  });

  return (
    <>
      <ErrorSummary form={form} />
      <PageHeading lead="The same stands behind the bell at the top of every page, whatever you choose here.">
        Messages and reminders
      </PageHeading>
      <form className="stack" data-gap="5" noValidate onSubmit={form.onSubmit}>
        <Card>
          <Select
            {...form.field('language')}
            optional="unmarked"
            label="Language of your messages"
            hint="What we write to you, and what stands behind the bell. The other pages stay in English."
            options={settings.offeredLanguages.map(({ code, name }) => ({
              value: code,
              label: name,
            }))}
          />
        </Card>
        {role === 'patient' && (
          <Card>
            <CheckboxGroup
              {...form.field('reminders')}
              optional="unmarked"
              label="When we remind you of a visit"
              hint="Several visits on one day come in one message."
              options={settings.offeredReminders.map((offset) => ({
                value: offset,
                label: offsetLabel(offset),
              }))}
            />
          </Card>
        )}
        {kinds.length > 0 && (
          <Card>
            <ChannelTable
              kinds={kinds}
              channels={settings.offeredChannels}
              chosen={(kind) => form.values[`channels.${kind}`]}
              onChoose={(kind, chosen) => form.set(`channels.${kind}`, chosen)}
            />
          </Card>
        )}
        {/* Whom everything must reach has nothing that could wait. */}
        {kinds.length > 0 && (
          <Card className="stack">
            <div>
              <h2 className={styles.title}>Quiet hours</h2>
              <p className="muted small">
                What can wait is written to you after them. Your clock: {zoneLabel(browserZone())}.
              </p>
            </div>
            <div className={styles.hours}>
              <TextInput
                {...form.field('quietHours.start')}
                type="time"
                label="From"
                optional="unmarked"
              />
              <TextInput
                {...form.field('quietHours.end')}
                type="time"
                label="Until"
                optional="unmarked"
              />
            </div>
          </Card>
        )}
        <section className={styles.always} aria-labelledby="always">
          <h2 id="always" className={styles.title}>
            Always on
          </h2>
          <ul className={styles.reasons}>
            {alwaysOn(role).map(({ what, why }) => (
              <li key={what}>
                <CheckIcon size={20} />
                <div>
                  {what}
                  <div className="muted small">{why}</div>
                </div>
              </li>
            ))}
          </ul>
        </section>
        <div>
          <Button type="submit" busy={form.busy} busyLabel="Saving...">
            Save
          </Button>
        </div>
      </form>
      {role !== 'admin' && <CalendarAddress />}
    </>
  );
}
