import type { FreeTime } from '@/api/types';
import type { Slot } from './freeTimes';

/** A time that the server refused, and the free times nearest to it. */
export interface Lost {
  code: string;
  message: string;
  slot: Slot;
  alternatives: FreeTime[];
}

/** The refusals that mean the time itself cannot be had. */
export const LOST_CODES = ['slot_taken', 'time_not_offered', 'patient_busy'];
