import type { MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import type { NoticeChanges, NoticeSettings, Role } from '@/api/types';
import { browserZone } from '@/lib/dates';

/** The notification settings as texts: what can be turned off, and why the rest cannot. */

/** Optional emails about appointments. */
const CHANGE_KINDS = {
  patient: msg`Requests, confirmations, new or suggested times, and records.`,
  doctor: msg`New requests and appointments, new times, replies to your suggestions, and your own changes.`,
} satisfies Partial<Record<Role, MessageDescriptor>>;

/** Return what can be turned off, by API name, in the order of the table. */
export function optionalKinds(
  role: Role,
): { name: Kind; label: MessageDescriptor; hint?: MessageDescriptor }[] {
  if (role === 'admin') return [];
  return [
    { name: 'changes', label: msg`Appointment updates`, hint: CHANGE_KINDS[role] },
    ...(role === 'patient'
      ? [{ name: 'reminders' as const, label: msg`Appointment reminders` }]
      : []),
  ];
}

/** Return what is always emailed, and why. */
export function requiredKinds(
  role: Role,
): { label: MessageDescriptor; reason: MessageDescriptor }[] {
  return [
    ...(role === 'admin'
      ? []
      : [
          {
            label: msg`Cancelled appointments and expired requests`,
            reason: msg`So nobody makes a trip for nothing.`,
          },
        ]),
    {
      label: msg`Changes to your password or email address, and sign-ins from a new device`,
      reason: msg`So you know right away if it wasn’t you.`,
    },
    ...(role === 'doctor'
      ? [
          {
            label: msg`Your license and your approval`,
            reason: msg`Patients can only find and book you while you’re approved.`,
          },
        ]
      : []),
    {
      label: msg`Your account is deactivated, reactivated or closed`,
      reason: msg`We’re legally required to tell you.`,
    },
  ];
}

/** Format `48h` as "2 days before" and `2h` as "2 hours before". */
export function offsetLabel(offset: string): string {
  const count = Number.parseInt(offset, 10);
  const hours = offset.endsWith('d') ? count * 24 : count;
  if (hours % 24 === 0) {
    const days = hours / 24;
    return plural(days, { one: '# day before', other: '# days before' });
  }
  return plural(hours, { one: '# hour before', other: '# hours before' });
}

export type Kind = keyof NoticeSettings['channels'];

export interface SettingsValues {
  /** The lead time, such as `48h`. */
  reminders: string[];
  /** The channels; the notifications page shows everything. */
  'channels.changes': string[];
  'channels.reminders': string[];
  language: string;
  'quietHours.start': string;
  'quietHours.end': string;
  /** Whether emails contain a calendar file. */
  calendarInvitations: boolean;
}

export function toFormValues(settings: NoticeSettings): SettingsValues {
  const { channels, reminders, language, quietHours, calendarInvitations } = settings;
  return {
    reminders,
    'channels.changes': channels.changes ?? [],
    'channels.reminders': channels.reminders ?? [],
    language,
    'quietHours.start': quietHours?.start ?? '',
    'quietHours.end': quietHours?.end ?? '',
    calendarInvitations,
  };
}

/** Return the request body. Quiet hours are in the browser's time zone. */
export function toSettings(choices: SettingsValues, role: Role) {
  const { reminders, language, 'quietHours.start': start, 'quietHours.end': end } = choices;
  const channels = optionalKinds(role).map(
    ({ name }) => [name, choices[`channels.${name}`]] as const,
  );
  return {
    // One of the options of the server.
    language: language as NoticeChanges['language'],
    ...(role === 'patient' && { reminders }),
    ...(channels.length > 0 && {
      channels: Object.fromEntries(channels),
      calendarInvitations: choices.calendarInvitations,
    }),
    quietHours: start && end ? { start, end } : null,
    timeZone: browserZone(),
  };
}

/** Return the errors of quiet hours, which may span midnight and need both ends or none. */
export function checkQuietHours(choices: SettingsValues): Record<string, string> {
  const { 'quietHours.start': start, 'quietHours.end': end } = choices;
  if (Boolean(start) !== Boolean(end)) {
    return { [start ? 'quietHours.end' : 'quietHours.start']: t`Enter both times, or neither` };
  }
  return start && start === end
    ? { 'quietHours.end': t`Quiet hours can’t start and end at the same time` }
    : {};
}
