import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { cx } from '@/lib/cx';
import styles from './Button.module.css';
import { Link, type LinkProps } from './Link';
import { Spinner } from './Spinner';

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger';

interface Look {
  variant?: Variant;
  /** Fill the width of the container. */
  wide?: boolean;
  icon?: ReactNode;
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** Shows a spinner and ignores further clicks; the button stays focused. */
  busy?: boolean;
  /** The label while busy. */
  busyLabel?: string;
  ref?: React.Ref<HTMLButtonElement>;
}

export function Button({
  variant = 'primary',
  wide,
  icon,
  busy,
  busyLabel,
  className,
  children,
  type = 'button',
  onClick,
  ...props
}: ButtonProps) {
  return (
    <button
      {...props}
      type={type}
      className={cx(styles.button, styles[variant], wide && styles.wide, className)}
      aria-disabled={busy || props['aria-disabled'] || undefined}
      onClick={(event) => {
        // The second click of a double click was meant for the previous button.
        if (busy || (variant === 'danger' && event.detail > 1)) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <Spinner small /> : icon}
      <span>{busy && busyLabel ? busyLabel : children}</span>
    </button>
  );
}

/** A link that looks like a button. */
export function LinkButton({
  variant = 'primary',
  wide,
  icon,
  className,
  children,
  ...props
}: LinkProps & Look) {
  return (
    <Link {...props} className={cx(styles.button, styles[variant], wide && styles.wide, className)}>
      {icon}
      <span>{children}</span>
    </Link>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  label: string;
  ref?: React.Ref<HTMLButtonElement>;
}

/** A square button that shows only an icon; `label` is its name. */
export function IconButton({ label, className, type = 'button', ...props }: IconButtonProps) {
  return (
    <button
      {...props}
      type={type}
      aria-label={label}
      title={label}
      className={cx(styles.icon, className)}
    />
  );
}
