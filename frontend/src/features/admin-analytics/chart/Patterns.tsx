import styles from './chart.module.css';

/**
 * Series differ by color and pattern, so that either is enough. The first is
 * plain, then stripes, dots and lines.
 */
export const MAX_SERIES = 4;

export function patternUrl(id: string, series: number): string {
  return `url(#${id}-${series})`;
}

const TONES = [styles.tone0, styles.tone1, styles.tone2, styles.tone3];

/** Return the class with the color of a series. */
export function toneClass(series: number): string | undefined {
  return TONES[series % MAX_SERIES];
}

export function Patterns({ id }: { id: string }) {
  return (
    <defs>
      <Pattern id={`${id}-0`} series={0} />
      <Pattern id={`${id}-1`} series={1}>
        <path d="M-2 2 2-2M0 8 8 0M6 10l4-4" />
      </Pattern>
      <Pattern id={`${id}-2`} series={2}>
        <circle cx="2" cy="2" r="1.4" />
        <circle cx="6" cy="6" r="1.4" />
      </Pattern>
      <Pattern id={`${id}-3`} series={3}>
        <path d="M0 2h8M0 6h8" />
      </Pattern>
    </defs>
  );
}

function Pattern({
  id,
  series,
  children,
}: {
  id: string;
  series: number;
  children?: React.ReactNode;
}) {
  return (
    <pattern
      id={id}
      width="8"
      height="8"
      patternUnits="userSpaceOnUse"
      className={toneClass(series)}
    >
      <rect width="8" height="8" className={children ? styles.ground : styles.line} />
      <g className={styles.lines}>{children}</g>
    </pattern>
  );
}
