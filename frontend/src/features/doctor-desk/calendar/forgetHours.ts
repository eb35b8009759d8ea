import type { QueryClient } from '@tanstack/react-query';
import { forgetVisits, scheduleQuery } from '@/api/queries';

/** After a change of hours: the schedule, the calendar and free times are not what they were. */
export function forgetHours(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: scheduleQuery.queryKey });
  void forgetVisits(client);
}
