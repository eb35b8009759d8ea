import { type ComponentProps, lazy, Suspense } from 'react';
import type { LostTime as Panel } from '@/domain/LostTime';

// Few lose their time, so only they load what is said about it.
const Loaded = lazy(() =>
  import('@/domain/LostTime').then(({ LostTime }) => ({ default: LostTime })),
);

/** A time that cannot be had, said as soon as the words are here; the rest of the page stays. */
export function LostTime(props: ComponentProps<typeof Panel>) {
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  );
}
