import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '@/api/errors';
import { notificationSettingsQuery, saveNotificationSettings } from '@/api/notifications';
import { configQuery } from '@/api/queries';
import type { NoticeSettings, Role } from '@/api/types';
import { BackLink } from '@/domain/BackLink';
import { useUser } from '@/domain/session/session';
import { browserZone, zoneLabel } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Checkbox } from '@/ui/Checkbox';
import { CheckboxGroup } from '@/ui/CheckboxGroup';
import { ErrorState } from '@/ui/ErrorState';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Grid } from '@/ui/Grid';
import { CheckIcon } from '@/ui/icons';
import { PageHeading } from '@/ui/PageHeading';
import { Select } from '@/ui/Select';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { TextInput } from '@/ui/TextInput';
import { toast } from '@/ui/toasts';
import { type Form, useForm } from '@/ui/useForm';
import { CalendarLink } from './CalendarLink';
import { ChannelTable } from './ChannelTable';
import styles from './notifications.module.css';
import {
  checkQuietHours,
  offsetLabel,
  optionalKinds,
  requiredKinds,
  type SettingsValues,
  toFormValues,
  toSettings,
} from './settings';

/** Which notifications are emailed, when and in which language. */
export default function NotificationSettingsPage() {
  const { t } = useLingui();
  const { data, isError, isFetching, refetch } = useQuery(notificationSettingsQuery);
  return (
    <Stack gap={5} className="column">
      <BackLink href={paths.profile}>{t`Profile`}</BackLink>
      {data ? (
        <Settings settings={data} />
      ) : (
        <>
          <PageHeading>{t`Notification settings`}</PageHeading>
          {isError ? (
            <ErrorState
              title={t`We couldn’t load your settings`}
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
    </Stack>
  );
}

function Settings({ settings }: { settings: NoticeSettings }) {
  const { t } = useLingui();
  const { role } = useUser();
  const isEnglishSite = useQuery(configQuery).data?.languages.length === 1;
  const client = useQueryClient();
  const form = useForm({
    values: toFormValues(settings),
    validate: checkQuietHours,
    submit: async (values) => {
      const { data, message } = await saveNotificationSettings(toSettings(values, role));
      client.setQueryData(notificationSettingsQuery.queryKey, data);
      // The language of the bell's notifications may have changed.
      await client.invalidateQueries({ queryKey: ['notices'], refetchType: 'none' });
      toast.success(message || t`Settings saved`);
    },
    message: (error) => messageOf(error, t`We couldn’t save your settings`),
  });

  return (
    <>
      <ErrorSummary form={form} />
      <PageHeading lead={t`You’ll always see everything under the bell, too.`}>
        {t`Notification settings`}
      </PageHeading>
      <Stack as="form" gap={5} noValidate onSubmit={form.onSubmit}>
        <Card>
          <Select
            {...form.field('language')}
            optional="unmarked"
            label={t`Language of emails and notifications`}
            hint={isEnglishSite && t`The other pages are in English.`}
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
              label={t`When we remind you`}
              hint={t`Appointments on the same day come in one reminder.`}
              options={settings.offeredReminders.map((offset) => ({
                value: offset,
                label: offsetLabel(offset),
              }))}
            />
          </Card>
        )}
        {/* Admins get nothing that could wait or be turned off. */}
        {role !== 'admin' && <OptionalEmails form={form} role={role} settings={settings} />}
        <RequiredEmails role={role} />
        <div>
          <Button type="submit" busy={form.busy} busyLabel={t`Saving...`}>
            {t`Save`}
          </Button>
        </div>
      </Stack>
      {role !== 'admin' && <CalendarLink />}
    </>
  );
}

interface OptionalEmailsProps {
  form: Form<SettingsValues>;
  role: Role;
  settings: NoticeSettings;
}

/** What can be turned off, and when it may arrive. */
function OptionalEmails({ form, role, settings }: OptionalEmailsProps) {
  const { t } = useLingui();
  const zone = zoneLabel(browserZone());
  return (
    <>
      <Card>
        <ChannelTable
          kinds={optionalKinds(role)}
          channels={settings.offeredChannels}
          getChannels={(kind) => form.values[`channels.${kind}`]}
          onChange={(kind, chosen) => form.set(`channels.${kind}`, chosen)}
        />
      </Card>
      <Card>
        <Checkbox
          {...form.field('calendarInvitations')}
          optional="unmarked"
          label={t`Add calendar invitations to emails`}
          hint={t`Turn this off if your calendar uses your private calendar link, so that appointments don’t appear twice. Entries already in your calendar will still be updated.`}
        />
      </Card>
      <Card gap={4}>
        <div>
          <h2 className="subheading">{t`Quiet hours`}</h2>
          <p className="muted small">
            {t`Emails that can wait arrive after quiet hours. Times are in ${zone}.`}
          </p>
        </div>
        <Grid className={styles.quietHours}>
          <TextInput
            {...form.field('quietHours.start')}
            type="time"
            label={t({ message: 'From', context: 'start of quiet hours' })}
            optional="unmarked"
          />
          <TextInput
            {...form.field('quietHours.end')}
            type="time"
            label={t({ message: 'Until', context: 'end of quiet hours' })}
            optional="unmarked"
          />
        </Grid>
      </Card>
    </>
  );
}

/** What is always emailed, and why. */
function RequiredEmails({ role }: { role: Role }) {
  const { t } = useLingui();
  return (
    <Stack as="section" gap={3} className={styles.mandatory} aria-labelledby="always">
      <h2 id="always" className="subheading">
        {t`Always on`}
      </h2>
      <Stack as="ul" gap={3} className={styles.reasons}>
        {requiredKinds(role).map(({ label, reason }) => (
          <li key={label.id}>
            <CheckIcon size={20} />
            <div>
              {t(label)}
              <div className="muted small">{t(reason)}</div>
            </div>
          </li>
        ))}
      </Stack>
    </Stack>
  );
}
