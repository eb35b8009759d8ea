import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';
import styles from './Banner.module.css';
import { IconButton } from './Button';
import { CheckIcon, CloseIcon, InfoIcon, WarningIcon } from './icons';

export type Tone = 'success' | 'error' | 'info' | 'warning';

const ICONS = {
  success: CheckIcon,
  error: WarningIcon,
  warning: WarningIcon,
  info: InfoIcon,
} satisfies Record<Tone, unknown>;

interface Props {
  tone: Tone;
  title?: string;
  children?: ReactNode;
  onDismiss?: () => void;
}

/** A colored panel with an icon. It is not announced: see notices.tsx for live messages. */
export function Banner({ tone, title, children, onDismiss }: Props) {
  const { t } = useLingui();
  const Icon = ICONS[tone];
  return (
    <div className={cx(styles.banner, styles[tone])}>
      <Icon className={styles.icon} />
      <div className={styles.text}>
        {title && <strong className={styles.title}>{title}</strong>}
        {children}
      </div>
      {onDismiss && (
        <IconButton label={t`Dismiss`} className={styles.dismiss} onClick={onDismiss}>
          <CloseIcon size={20} />
        </IconButton>
      )}
    </div>
  );
}
