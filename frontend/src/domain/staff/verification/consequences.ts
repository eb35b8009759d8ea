import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import type { Effects } from '@/api/types';

/** Actions with a preview. */
export type EffectfulAction = 'deactivate' | 'activate' | 'delete' | 'revoke';

/** Describe the effects on appointments and notifications, one sentence each. */
function appointmentConsequences(action: EffectfulAction, effects: Effects): string[] {
  const { upcoming, messages } = effects;
  if (upcoming === 0) return [t`There are no upcoming appointments.`];
  switch (action) {
    case 'delete':
      return [
        plural(upcoming, {
          one: 'We’ll cancel # upcoming appointment.',
          other: 'We’ll cancel # upcoming appointments.',
        }),
        plural(messages, { one: 'We’ll notify # person.', other: 'We’ll notify # people.' }),
      ];
    case 'activate':
      return [
        plural(upcoming, {
          one: '# upcoming appointment will go ahead as planned.',
          other: '# upcoming appointments will go ahead as planned.',
        }),
      ];
    default:
      return [
        plural(upcoming, {
          one: '# upcoming appointment stays booked. You’ll find it on the dashboard under “Appointments needing attention”.',
          other:
            '# upcoming appointments stay booked. You’ll find them on the dashboard under “Appointments needing attention”.',
        }),
        t`We notify patients only when you cancel.`,
      ];
  }
}

const ACCOUNT_CONSEQUENCES: Record<EffectfulAction, MessageDescriptor[]> = {
  deactivate: [msg`They’ll be signed out everywhere and notified, and won’t be able to sign in.`],
  activate: [msg`They’ll be notified, and can sign in again.`],
  delete: [
    msg`The account ends immediately. Past appointments and records keep the name.`,
    msg`This can’t be undone.`,
  ],
  revoke: [msg`Patients can no longer find or book this doctor, who will read your reason.`],
};

/** Describe all effects of an action, one sentence each. */
export function consequences(action: EffectfulAction, effects: Effects): string[] {
  const [first = '', ...rest] = ACCOUNT_CONSEQUENCES[action].map((each) => i18n._(each));
  return [first, ...appointmentConsequences(action, effects), ...rest];
}
