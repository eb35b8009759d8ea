import { useState } from 'react';
import { cx } from '@/lib/cx';
import { initials, nameHash } from '@/lib/names';
import styles from './Avatar.module.css';

interface Props {
  name: string;
  src?: string | null;
  /** Pixels; faces are square. */
  size?: number;
  /** Only the first letter, as in the avatar of the header. */
  short?: boolean;
  className?: string;
}

const TINTS = [styles.tint0, styles.tint1, styles.tint2, styles.tint3, styles.tint4];

/**
 * A user's picture, or initials on a color derived from the name. Decorative: the name is next to
 * it.
 */
export function Avatar({ name, src, size = 72, short, className }: Props) {
  const [broken, setBroken] = useState<string | null>(null);
  const style = { width: size, height: size, fontSize: Math.round(size * 0.38) };
  if (src && src !== broken) {
    return (
      <img
        className={cx(styles.image, className)}
        src={src}
        alt=""
        width={size}
        height={size}
        style={style}
        loading="lazy"
        decoding="async"
        onError={() => setBroken(src)}
      />
    );
  }
  const letters = initials(name);
  return (
    <span
      className={cx(styles.image, styles.initials, TINTS[nameHash(name, TINTS.length)], className)}
      style={style}
      aria-hidden="true"
    >
      {short ? letters.charAt(0) : letters}
    </span>
  );
}
