import { dateParam } from '@/domain/staff/DateRange';
import { SPECIALIZATIONS } from '@/lib/options';
import type { AdminAppointmentsQuery } from '@/lib/paths';
import { choiceParam } from '@/lib/searchParams';

export const STATUS_OPTIONS = [
  { value: 'pending', label: 'Pending' },
  { value: 'confirmed', label: 'Confirmed' },
  { value: 'unfinished', label: 'Over, not completed' },
  { value: 'completed', label: 'Completed' },
  { value: 'cancelled', label: 'Cancelled' },
] as const;
/** Which date the range applies to; by default the appointment's. */
export const DATE_OPTIONS = [
  { value: 'visit', label: 'Of the appointment' },
  { value: 'booked', label: 'Of the booking' },
  { value: 'cancelled', label: 'Of the cancelling' },
] as const;
export const ATTENDANCE_OPTIONS = [
  { value: 'true', label: 'Patient came' },
  { value: 'false', label: 'No-show' },
] as const;

/** Read the query from the URL; invalid values are ignored. */
export function readQuery(params: URLSearchParams) {
  return {
    search: params.get('search')?.trim() || undefined,
    status: choiceParam(
      params,
      'status',
      STATUS_OPTIONS.map(({ value }) => value),
      undefined,
    ),
    specialization: choiceParam(params, 'specialization', SPECIALIZATIONS, undefined),
    city: params.get('city')?.trim().slice(0, 100) || undefined,
    dates: choiceParam(params, 'dates', ['booked', 'cancelled'], undefined),
    attended: choiceParam(params, 'attended', ['true', 'false'], undefined),
    from: dateParam(params, 'from'),
    to: dateParam(params, 'to'),
  } satisfies AdminAppointmentsQuery;
}
