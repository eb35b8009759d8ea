import { type ComponentProps, lazy, Suspense } from 'react';
import type { SlotUnavailable as Panel } from './SlotUnavailable';

// Rarely needed, so loaded on demand.
const SlotUnavailable = lazy(() =>
  import('./SlotUnavailable').then(({ SlotUnavailable }) => ({ default: SlotUnavailable })),
);

/** An unavailable time, shown once its code has loaded; the rest of the page stays. */
export function LazySlotUnavailable(props: ComponentProps<typeof Panel>) {
  return (
    <Suspense fallback={null}>
      <SlotUnavailable {...props} />
    </Suspense>
  );
}
