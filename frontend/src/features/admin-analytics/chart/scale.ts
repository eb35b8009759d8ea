/** Return axis ticks from 0 to at least `max`, as whole numbers. */
export function axisTicks(max: number, count = 3): number[] {
  const rough = Math.max(max, 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = [1, 2, 2.5, 5, 10].find((each) => each * power >= rough) ?? 10;
  const step = Math.max(1, Math.ceil(nice * power));
  return Array.from({ length: Math.ceil(Math.max(max, 1) / step) + 1 }, (_, at) => at * step);
}

/** Return the indexes of labeled steps: the first, then evenly spaced so that labels do not overlap. */
export function labelIndexes(count: number, width: number, labelWidth: number): number[] {
  const room = Math.max(1, Math.floor(width / labelWidth));
  const every = Math.max(1, Math.ceil(count / room));
  return Array.from({ length: Math.ceil(count / every) }, (_, at) => at * every);
}

const PAGE_STEPS = 7;

/** Return the step a key moves to; undefined for other keys. */
export function indexAfterKey(key: string, at: number, count: number): number | undefined {
  const moves: Record<string, number> = {
    ArrowRight: at + 1,
    ArrowUp: at + 1,
    ArrowLeft: at - 1,
    ArrowDown: at - 1,
    PageUp: at + PAGE_STEPS,
    PageDown: at - PAGE_STEPS,
    Home: 0,
    End: count - 1,
  };
  const to = moves[key];
  return to === undefined ? undefined : Math.min(count - 1, Math.max(0, to));
}
