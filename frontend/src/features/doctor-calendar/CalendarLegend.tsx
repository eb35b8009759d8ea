import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { AppointmentStatus } from '@/api/types';
import { statusLabel } from '@/domain/appointment/StatusBadge';
import { cx } from '@/lib/cx';
import { Inline } from '@/ui/Inline';
import { CheckIcon, CloseIcon } from '@/ui/icons';
import { Toolbar } from '@/ui/Toolbar';
import styles from './calendar.module.css';

/** Must match DayColumn.tsx. */
const LEGEND: { status: AppointmentStatus; attended: boolean | null; icon?: ReactNode }[] = [
  { status: 'pending', attended: null },
  { status: 'confirmed', attended: null },
  { status: 'completed', attended: true, icon: <CheckIcon size={16} /> },
  { status: 'completed', attended: false, icon: <CloseIcon size={16} /> },
  { status: 'cancelled', attended: null },
];

export function CalendarLegend() {
  const { t } = useLingui();
  return (
    <Toolbar rowGap={2} gap={5} align="start">
      <Inline as="ul" rowGap={1} gap={4} aria-label={t`How appointments look`}>
        {LEGEND.map(({ status, attended, icon }) => (
          <Inline
            as="li"
            key={`${status} ${attended}`}
            wrap={false}
            gap={2}
            className={cx(styles.status, 'small')}
            data-status={status}
          >
            <span className={styles.swatch} aria-hidden="true">
              {icon}
            </span>
            <span className={styles.name}>{t(statusLabel({ status, attended }))}</span>
          </Inline>
        ))}
      </Inline>
      <p className={cx(styles.hint, 'muted small')}>
        <Trans>
          Drag an appointment to another free time, or draw over empty time to block or book it. On
          the keyboard, the arrow keys move between appointments and times, and Enter opens one.
          Stripes after an appointment are its buffer. “Outside hours” marks an appointment that you
          kept at a time patients can’t book.
        </Trans>
      </p>
    </Toolbar>
  );
}
