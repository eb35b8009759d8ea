import { useEffect, useState } from 'react';
import type { Slot } from '@/domain/freeSlots';
import { type HoldState, releaseActiveHold, startHold } from './hold';

const NONE: HoldState = { state: 'none' };
/** The hold is kept during sign-in. */
const SIGN_IN_PATH = /^\/(login|register)$/;

/**
 * Hold the selected time and return the state of the hold. Without a selection the hold is
 * released; while `waiting` (for the session to load) nothing changes.
 */
export function useHold(doctorId: string, slot: Slot | null, isPaused: boolean): HoldState {
  const [current, setCurrent] = useState<{ key: string; state: HoldState } | null>(null);
  const date = slot?.date ?? '';
  const time = slot?.time ?? '';
  const key = `${doctorId} ${date} ${time}`;

  useEffect(() => {
    if (isPaused) return;
    if (!date || !time) {
      releaseActiveHold();
      return;
    }
    return startHold({ doctorId, date, time }, (state) => setCurrent({ key, state }));
  }, [doctorId, date, time, key, isPaused]);

  useEffect(
    () => () => {
      if (!SIGN_IN_PATH.test(window.location.pathname)) releaseActiveHold();
    },
    [],
  );

  // Ignore the state of another time.
  return current?.key === key ? current.state : NONE;
}
