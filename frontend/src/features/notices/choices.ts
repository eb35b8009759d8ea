import type { NoticeChanges, NoticeSettings, Role } from '@/api/types';
import { browserZone } from '@/lib/dates';

/** What a person may choose about being told, in words, and what always goes, with why. */

/** What is told of visits beside what always goes. */
const CHANGES = {
  patient: 'A visit is booked, confirmed or moved, another time is proposed, a record is there.',
  doctor: 'A request or booking comes in, a visit is moved, your proposal is answered.',
} satisfies Partial<Record<Role, string>>;

/** What may be stopped, by its name on the wire, in the order of the table. */
export function kindsOf(role: Role): { name: Kind; what: string; hint?: string }[] {
  if (role === 'admin') return [];
  return [
    { name: 'changes', what: 'What happens to your visits', hint: CHANGES[role] },
    ...(role === 'patient'
      ? [{ name: 'reminders' as const, what: 'Reminders before a visit' }]
      : []),
  ];
}

/** What always goes, and why it does. */
export function alwaysOn(role: Role): { what: string; why: string }[] {
  return [
    ...(role === 'admin'
      ? []
      : [
          {
            what: 'A visit is cancelled or was not answered in time',
            why: 'Otherwise somebody would come, or wait, for nothing.',
          },
        ]),
    {
      what: 'Your password, your e-mail address, a sign-in from a new device',
      why: 'So that you learn at once when it was not you.',
    },
    ...(role === 'doctor'
      ? [
          {
            what: 'Your licence and whether you are approved',
            why: 'Patients can find and book you only while it holds.',
          },
        ]
      : []),
    {
      what: 'Your account is stopped, started again or closed',
      why: 'The law asks us to tell you.',
    },
  ];
}

/** "2 days before" for `48h`, "2 hours before" for `2h`. */
export function offsetLabel(offset: string): string {
  const count = Number.parseInt(offset, 10);
  const hours = offset.endsWith('d') ? count * 24 : count;
  const [number, unit] = hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour'];
  return `${number} ${unit}${number === 1 ? '' : 's'} before`;
}

export type Kind = keyof NoticeSettings['channels'];

export interface Choices {
  /** How long before, like `48h`. */
  reminders: string[];
  /** By which channels; the page tells in any case. */
  'channels.changes': string[];
  'channels.reminders': string[];
  language: string;
  'quietHours.start': string;
  'quietHours.end': string;
}

export function choicesOf({ channels, reminders, language, quietHours }: NoticeSettings): Choices {
  return {
    reminders,
    'channels.changes': channels.changes ?? [],
    'channels.reminders': channels.reminders ?? [],
    language,
    'quietHours.start': quietHours?.start ?? '',
    'quietHours.end': quietHours?.end ?? '',
  };
}

/** What goes over the wire. Quiet hours are those of the clock that one looks at now. */
export function settingsOf(choices: Choices, role: Role) {
  const { reminders, language, 'quietHours.start': start, 'quietHours.end': end } = choices;
  const channels = kindsOf(role).map(({ name }) => [name, choices[`channels.${name}`]] as const);
  return {
    // One of those that the server offered.
    language: language as NoticeChanges['language'],
    ...(role === 'patient' && { reminders }),
    ...(channels.length > 0 && { channels: Object.fromEntries(channels) }),
    quietHours: start && end ? { start, end } : null,
    timeZone: browserZone(),
  };
}

/** Quiet hours may go over midnight; both ends or none. */
export function checkQuietHours(choices: Choices): Record<string, string> {
  const { 'quietHours.start': start, 'quietHours.end': end } = choices;
  if (Boolean(start) !== Boolean(end)) {
    return { [start ? 'quietHours.end' : 'quietHours.start']: 'Enter both times, or neither' };
  }
  return start && start === end
    ? { 'quietHours.end': 'Quiet hours must end at another time than they start' }
    : {};
}
