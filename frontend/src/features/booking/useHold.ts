import { useEffect, useState } from 'react';
import type { Slot } from '@/domain/freeSlots';
import { type Keeping, keepTime, releaseActiveHold } from './hold';

const NONE: Keeping = { state: 'none' };
/** On the way to sign-in the time stays kept. */
const SIGN_IN = /^\/(login|register)$/;

/**
 * How the keeping of the chosen time goes. Without a choice what was kept is let go; while `waiting`
 * (for who is signed in, say) everything stays as it is.
 */
export function useHold(doctorId: string, slot: Slot | null, waiting: boolean): Keeping {
  const [told, setTold] = useState<{ of: string; keeping: Keeping } | null>(null);
  const date = slot?.date ?? '';
  const time = slot?.time ?? '';
  const of = `${doctorId} ${date} ${time}`;

  useEffect(() => {
    if (waiting) return;
    if (!date || !time) {
      releaseActiveHold();
      return;
    }
    return keepTime({ doctorId, date, time }, (keeping) => setTold({ of, keeping }));
  }, [doctorId, date, time, of, waiting]);

  useEffect(
    () => () => {
      if (!SIGN_IN.test(window.location.pathname)) releaseActiveHold();
    },
    [],
  );

  // What was said of another time is no news of this one.
  return told?.of === of ? told.keeping : NONE;
}
