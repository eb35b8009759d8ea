import { t } from '@lingui/core/macro';
import { type KeyboardEvent, type PointerEvent, useId, useRef, useState } from 'react';
import { cx } from '@/lib/cx';
import { formatFacts } from '@/lib/formatList';
import { Inline } from '@/ui/Inline';
import { Stack } from '@/ui/Stack';
import styles from './chart.module.css';
import { Patterns, patternUrl, toneClass } from './Patterns';
import { axisTicks, indexAfterKey, labelIndexes } from './scale';
import { useWidth } from './useWidth';

export interface Series {
  name: string;
  /** One per step; null if unknown. */
  values: (number | null)[];
}

export interface Step {
  /** "Tuesday 8 December". */
  name: string;
  /** "8 Dec", for below the bars. */
  short: string;
}

interface Props {
  /** The subject of the chart, which names the cursor for screen readers. */
  label: string;
  steps: Step[];
  /** Stacked; at most four. */
  series: Series[];
  format: (value: number | null) => string;
  /** The unit of axis ticks, such as 60 for hours in a chart of minutes. */
  tickUnit?: (max: number) => number;
}

const HEIGHT = 190;
const TOP = 10;
const BOTTOM = 26;
const SIDE = 64;
const LABEL = 64;

/**
 * A bar chart that fills the available width. It has one tab stop: arrow keys move a cursor between
 * steps and announce the values; hovering shows them too.
 */
export function BarChart({ label, steps, series, format, tickUnit }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const id = useId();
  const [at, setAt] = useState<number | null>(null);

  const plot = { width: Math.max(width - SIDE, 40), height: HEIGHT - TOP - BOTTOM };
  const each = plot.width / steps.length;
  const bar = Math.max(Math.min(each * 0.76, 40), 0.75);
  const sums = steps.map((_, step) =>
    series.reduce((sum, { values }) => sum + (values[step] ?? 0), 0),
  );
  const highest = Math.max(...sums);
  const unit = tickUnit?.(highest) ?? 1;
  const ticks = axisTicks(highest / unit).map((tick) => tick * unit);
  const max = ticks[ticks.length - 1] ?? 1;
  const y = (value: number) => TOP + plot.height * (1 - value / max);
  const x = (step: number) => SIDE + each * (step + 0.5);

  const selectedIndex = Math.min(at ?? steps.length - 1, steps.length - 1);
  const readout = stepText(selectedIndex, steps, series, format);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = indexAfterKey(event.key, selectedIndex, steps.length);
    if (to === undefined) return;
    event.preventDefault();
    setAt(to);
  };
  const onPointer = (event: PointerEvent<HTMLDivElement>) => {
    const from = event.currentTarget.getBoundingClientRect().left + SIDE;
    const step = Math.floor((event.clientX - from) / each);
    if (step >= 0 && step < steps.length) setAt(step);
  };

  return (
    <Stack gap={2} className={styles.chart}>
      {series.length > 1 && <Legend series={series} id={id} />}
      <div
        ref={box}
        role="slider"
        tabIndex={0}
        aria-label={t`${label}, step by step`}
        aria-valuemin={0}
        aria-valuemax={steps.length - 1}
        aria-valuenow={selectedIndex}
        aria-valuetext={readout}
        className={styles.plot}
        onKeyDown={onKeyDown}
        onFocus={() => setAt(selectedIndex)}
        onPointerMove={onPointer}
        onPointerDown={onPointer}
      >
        <svg width={width} height={HEIGHT} aria-hidden="true" focusable="false">
          <Patterns id={id} />
          {ticks.map((tick) => (
            <g key={tick}>
              <line x1={SIDE} x2={width} y1={y(tick)} y2={y(tick)} className={styles.grid} />
              <text x={SIDE - 8} y={y(tick) + 4} textAnchor="end" className={styles.tick}>
                {format(tick)}
              </text>
            </g>
          ))}
          {at !== null && (
            <rect
              x={x(selectedIndex) - each / 2}
              y={TOP}
              width={each}
              height={plot.height}
              className={styles.cursor}
            />
          )}
          {steps.map((step, index) => (
            <Bar
              key={step.name}
              values={series.map(({ values }) => values[index] ?? 0)}
              left={x(index) - bar / 2}
              width={bar}
              y={y}
              id={id}
            />
          ))}
          {labelIndexes(steps.length, plot.width, LABEL).map((index) => (
            <text
              key={index}
              x={x(index)}
              y={HEIGHT - 6}
              textAnchor={index === 0 && each < LABEL ? 'start' : 'middle'}
              className={styles.tick}
            >
              {steps[index]?.short}
            </text>
          ))}
        </svg>
      </div>
      {/* The cursor says the same to a screen reader. */}
      <p className={cx(styles.readout, at === null && styles.hint)} aria-hidden="true">
        {at === null ? t`Point at a bar, or use the arrow keys.` : readout}
      </p>
    </Stack>
  );
}

/** "Tuesday 8 December: Completed 3, No-show 1". */
function stepText(
  at: number,
  steps: Step[],
  series: Series[],
  format: (value: number | null) => string,
): string {
  const values = series.map(({ name, values }) => {
    const value = format(values[at] ?? null);
    return series.length > 1 ? t`${name} ${value}` : value;
  });
  const day = steps[at]?.name ?? '';
  const facts = formatFacts(values);
  return t`${day}: ${facts}`;
}

interface BarProps {
  values: number[];
  left: number;
  width: number;
  y: (value: number) => number;
  id: string;
}

/** The stacked segments of one step. */
function Bar({ values, left, width, y, id }: BarProps) {
  let base = 0;
  return values.map((value, series) => {
    if (value === 0) return null;
    const top = y(base + value);
    const height = y(base) - top;
    base += value;
    return (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: series have a fixed order.
        key={series}
        x={left}
        y={top}
        width={width}
        height={height}
        fill={patternUrl(id, series)}
        className={cx(styles.bar, toneClass(series))}
      />
    );
  });
}

function Legend({ series, id }: { series: Series[]; id: string }) {
  return (
    <Inline as="ul" rowGap={1} gap={4} align="stretch" className={styles.legend}>
      {series.map(({ name }, index) => (
        <li key={name}>
          <svg width={18} height={18} aria-hidden="true" focusable="false">
            <rect
              x={1}
              y={1}
              width={16}
              height={16}
              fill={patternUrl(id, index)}
              className={cx(styles.bar, toneClass(index))}
            />
          </svg>
          {name}
        </li>
      ))}
    </Inline>
  );
}
