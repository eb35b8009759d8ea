import type { FreeTime } from '@/api/types';
import type { Slot } from './freeSlots';

/** An unavailable time and the nearest free times. */
export interface UnavailableSlot {
  code: string;
  message: string;
  slot: Slot;
  alternatives: FreeTime[];
}

/** Error codes of unavailable times. */
export const SLOT_UNAVAILABLE_CODES = ['slot_taken', 'time_not_offered', 'patient_busy'];
