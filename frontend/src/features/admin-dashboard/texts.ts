import { plural, t } from '@lingui/core/macro';
import type { Overview } from '@/api/types';
import { formatCount } from '@/lib/counts';

/** Texts of the admin's dashboard that depend on numbers. */

/** Compare with the same hours a week before: "3 more than a week earlier (12)". */
export function comparisonText({
  last24Hours,
  weekBefore,
}: Overview['comparison']['bookings']): string {
  const more = last24Hours - weekBefore;
  if (more === 0) return t`Same as a week earlier`;
  const before = formatCount(weekBefore);
  return more > 0
    ? plural(more, {
        one: `# more than a week earlier (${before})`,
        other: `# more than a week earlier (${before})`,
      })
    : plural(-more, {
        one: `# fewer than a week earlier (${before})`,
        other: `# fewer than a week earlier (${before})`,
      });
}

/** Describe waiting and failed messages. */
export function queueText({
  waiting,
  failed,
}: Pick<Overview['health']['notices'], 'waiting' | 'failed'>) {
  const failedCount = formatCount(failed);
  const waitingCount = formatCount(waiting);
  if (failed > 0) {
    return waiting > 0
      ? t`${failedCount} failed, ${waitingCount} waiting to be sent`
      : t`${failedCount} failed`;
  }
  return waiting > 0 ? t`${waitingCount} waiting to be sent` : t`All sent`;
}

/** Describe when the audit log was last sealed, and how many events are not sealed yet. */
export function sealText(unsealed: number, sealedAgo: string | null): string {
  if (unsealed === 0) return sealedAgo ? t`Sealed ${sealedAgo}` : t`Not sealed yet`;
  return sealedAgo
    ? plural(unsealed, {
        one: `Sealed ${sealedAgo}; # event pending`,
        other: `Sealed ${sealedAgo}; # events pending`,
      })
    : plural(unsealed, {
        one: 'Not sealed yet; # event pending',
        other: 'Not sealed yet; # events pending',
      });
}
