import { useSearchParams } from 'react-router-dom';
import { isDate } from '@/lib/dates';
import type { Slot } from '../freeSlots';

/** The chosen day and time in the address bar. */
export function useSlotParams() {
  const [params, setParams] = useSearchParams();
  const date = params.get('date') ?? '';
  const day = isDate(date) ? date : null;
  const time = params.get('time') ?? '';
  const slot: Slot | null = day && /^\d{2}:\d{2}$/.test(time) ? { date: day, time } : null;
  return {
    /** Also without a time. */
    day,
    slot,
    setSlotParams: (next: { date: string; time?: string }, { replace }: { replace: boolean }) =>
      setParams({ ...next }, { replace, state: { keepScroll: true } }),
  };
}
