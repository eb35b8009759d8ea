import type { FreeTime } from '@/api/types';
import type { Slot } from './freeSlots';

/** A time that the server refused, and the free times nearest to it. */
export interface UnavailableSlot {
  code: string;
  message: string;
  slot: Slot;
  alternatives: FreeTime[];
}

/** The refusals that mean the time itself cannot be had. */
export const SLOT_UNAVAILABLE_CODES = ['slot_taken', 'time_not_offered', 'patient_busy'];
