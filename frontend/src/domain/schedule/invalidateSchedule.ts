import type { QueryClient } from '@tanstack/react-query';
import { invalidateAppointments, scheduleQuery } from '@/api/queries';

/** Refetch the schedule, the calendar and free times after a change of hours. */
export function invalidateSchedule(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: scheduleQuery.queryKey });
  void invalidateAppointments(client);
}
