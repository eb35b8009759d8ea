import { dateParam } from '@/domain/staff/DateRange';
import { SPECIALIZATIONS } from '@/lib/options';
import type { AdminAppointmentsQuery } from '@/lib/paths';
import { choiceOf } from '@/lib/searchParams';

export const STATUSES = [
  { value: 'pending', label: 'Pending' },
  { value: 'confirmed', label: 'Confirmed' },
  { value: 'unfinished', label: 'Over, not completed' },
  { value: 'completed', label: 'Completed' },
  { value: 'cancelled', label: 'Cancelled' },
] as const;
/** What the dates are those of; the appointment's own go without saying. */
export const DATES = [
  { value: 'visit', label: 'Of the appointment' },
  { value: 'booked', label: 'Of the booking' },
  { value: 'cancelled', label: 'Of the cancelling' },
] as const;
export const CAME = [
  { value: 'true', label: 'Patient came' },
  { value: 'false', label: 'No-show' },
] as const;

/** What the address bar asks for; nonsense asks for nothing. */
export function readQuery(params: URLSearchParams) {
  return {
    search: params.get('search')?.trim() || undefined,
    status: choiceOf(
      params,
      'status',
      STATUSES.map(({ value }) => value),
      undefined,
    ),
    specialization: choiceOf(params, 'specialization', SPECIALIZATIONS, undefined),
    city: params.get('city')?.trim().slice(0, 100) || undefined,
    dates: choiceOf(params, 'dates', ['booked', 'cancelled'], undefined),
    attended: choiceOf(params, 'attended', ['true', 'false'], undefined),
    from: dateParam(params, 'from'),
    to: dateParam(params, 'to'),
  } satisfies AdminAppointmentsQuery;
}
