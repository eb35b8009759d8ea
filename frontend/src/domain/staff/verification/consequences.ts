import type { Effects } from '@/api/types';
import { pluralize } from '@/lib/counts';

/** Actions with a preview. */
export type EffectfulAction = 'deactivate' | 'activate' | 'delete' | 'revoke';

const upcomingCount = ({ upcoming }: Effects) => pluralize(upcoming, 'upcoming appointment');

/** Describe the effects on appointments and notifications, one sentence each. */
function appointmentConsequences(action: EffectfulAction, effects: Effects): string[] {
  if (effects.upcoming === 0) return ['There are no upcoming appointments.'];
  const one = effects.upcoming === 1;
  switch (action) {
    case 'delete':
      return [
        `${upcomingCount(effects)} ${one ? 'is' : 'are'} cancelled, and we notify ${pluralize(effects.messages, 'person', 'people')}.`,
      ];
    case 'activate':
      return [`${upcomingCount(effects)} ${one ? 'goes' : 'go'} on as planned.`];
    default:
      return [
        `${upcomingCount(effects)} ${one ? 'stays' : 'stay'} booked, and ${one ? 'waits' : 'wait'} for you on the dashboard under “Appointments needing attention”.`,
        'Patients are notified only when you cancel.',
      ];
  }
}

const ACCOUNT_CONSEQUENCES: Record<EffectfulAction, string[]> = {
  deactivate: ['They’ll be signed out everywhere and notified, and can’t sign in.'],
  activate: ['They’ll be notified, and can sign in again.'],
  delete: [
    'The account ends immediately. Past appointments and records keep their names.',
    'This can’t be undone.',
  ],
  revoke: ['Patients can no longer find or book this doctor, who will read your reason.'],
};

/** Describe all effects of an action, one sentence each. */
export function consequences(action: EffectfulAction, effects: Effects): string[] {
  const [first = '', ...rest] = ACCOUNT_CONSEQUENCES[action];
  return [first, ...appointmentConsequences(action, effects), ...rest];
}
