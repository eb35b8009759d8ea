import type { NoticeSettings, Role } from '@/api/types';
import { browserZone } from '@/lib/dates';

/** What a person may choose about being told, in words, and what always goes, with why. */

/** What is told of visits beside what always goes. */
export const CHANGES = {
  patient: 'A visit is booked, confirmed or moved, another time is proposed, a record is there.',
  doctor: 'A request or booking comes in, a visit is moved, your proposal is answered.',
} satisfies Partial<Record<Role, string>>;

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

export interface Choices {
  /** How long before, like `48h`. */
  reminders: string[];
  changes: boolean;
  'quietHours.start': string;
  'quietHours.end': string;
}

/** Reminders that are turned off as a whole are none of them wanted. */
export function choicesOf({ optional, reminders, quietHours }: NoticeSettings): Choices {
  return {
    reminders: optional.reminders ? reminders : [],
    changes: optional.changes,
    'quietHours.start': quietHours?.start ?? '',
    'quietHours.end': quietHours?.end ?? '',
  };
}

/** What goes over the wire. Quiet hours are those of the clock that one looks at now. */
export function settingsOf({ reminders, changes, ...hours }: Choices, role: Role) {
  const { 'quietHours.start': start, 'quietHours.end': end } = hours;
  return {
    ...(role === 'patient' && { reminders }),
    optional: { changes, ...(role === 'patient' && { reminders: reminders.length > 0 }) },
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
