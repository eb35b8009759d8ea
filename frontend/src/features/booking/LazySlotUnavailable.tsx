import { type ComponentProps, lazy, Suspense } from 'react';
import type { SlotUnavailable as Panel } from '@/domain/SlotUnavailable';

// Few lose their time, so only they load what is said about it.
const SlotUnavailable = lazy(() =>
  import('@/domain/SlotUnavailable').then(({ SlotUnavailable }) => ({ default: SlotUnavailable })),
);

/** A time that cannot be had, said as soon as the words are here; the rest of the page stays. */
export function LazySlotUnavailable(props: ComponentProps<typeof Panel>) {
  return (
    <Suspense fallback={null}>
      <SlotUnavailable {...props} />
    </Suspense>
  );
}
