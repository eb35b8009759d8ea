import type { Effects } from '@/api/types';
import { counted } from '@/lib/counts';

/** What is asked about before it is done. */
export type EffectfulAct = 'deactivate' | 'activate' | 'delete' | 'revoke';

const visits = ({ upcoming }: Effects) => counted(upcoming, 'upcoming visit');

/** What the visits have to bear, and who hears of it: a sentence each. */
function onVisits(act: EffectfulAct, effects: Effects): string[] {
  if (effects.upcoming === 0) return ['No visits are ahead.'];
  const one = effects.upcoming === 1;
  switch (act) {
    case 'delete':
      return [
        `${visits(effects)} ${one ? 'is' : 'are'} cancelled, and ${counted(effects.messages, 'person', 'people')} will be told.`,
      ];
    case 'activate':
      return [`${visits(effects)} ${one ? 'goes' : 'go'} on as planned.`];
    default:
      return [
        `${visits(effects)} ${one ? 'stays' : 'stay'} booked, and ${one ? 'waits' : 'wait'} for you on the dashboard under “Visits that cannot take place”.`,
        'The other side is told only of what you cancel there.',
      ];
  }
}

const OF_ACCOUNT: Record<EffectfulAct, string[]> = {
  deactivate: ['They are signed out everywhere at once, told so, and cannot sign in.'],
  activate: ['They are told, and can sign in again.'],
  delete: [
    'The account ends at once; past visits and records stay with their names.',
    'This cannot be undone.',
  ],
  revoke: ['Patients can no longer find or book this doctor, who is told your reason.'],
};

/** What an act would do, a sentence each. */
export function consequences(act: EffectfulAct, effects: Effects): string[] {
  const [first = '', ...rest] = OF_ACCOUNT[act];
  return [first, ...onVisits(act, effects), ...rest];
}
