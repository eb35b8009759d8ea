import type { QueryClient } from '@tanstack/react-query';
import { invalidateAppointments } from '@/api/queries';
import { scheduleQuery } from '@/api/schedule';

/** Refetch the schedule, the calendar and free times after a change of hours. */
export function invalidateSchedule(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: scheduleQuery.queryKey });
  void invalidateAppointments(client);
}
