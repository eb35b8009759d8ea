import { useLingui } from '@lingui/react/macro';
import type { AppointmentStatus } from '@/api/types';
import { statusLabel } from '@/domain/appointment/StatusBadge';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import styles from './StatusFilter.module.css';

interface Props {
  statuses: readonly AppointmentStatus[];
  current: AppointmentStatus | undefined;
  address: (query: { status?: AppointmentStatus }) => string;
}

/** Filter by status, with links because the filter is in the URL. */
export function StatusFilter({ statuses, current, address }: Props) {
  const { t } = useLingui();
  return (
    <Inline aria-label={t`Status`} as="nav" gap={2} align="stretch">
      {[undefined, ...statuses].map((status) => (
        <Link
          key={status ?? 'any'}
          href={address({ status })}
          keepScroll
          className={styles.choice}
          aria-current={status === current ? 'page' : undefined}
        >
          {status ? t(statusLabel({ status, attended: null })) : t`Any status`}
        </Link>
      ))}
    </Inline>
  );
}
