import type { QueryClient } from '@tanstack/react-query';
import type { AccountStatus } from '@/api/types';
import type { Users } from '@/api/users';

/** Return a page of users with updated statuses. */
export function withStatus(list: Users, ids: readonly string[], status: AccountStatus): Users {
  const changed = new Set(ids);
  let moved = 0;
  const users = list.users.map((user) => {
    if (!changed.has(user._id) || user.status === status) return user;
    moved += 1;
    return { ...user, status };
  });
  const sign = status === 'active' ? 1 : -1;
  const { active, inactive } = list.totals;
  const totals = {
    ...list.totals,
    active: active + sign * moved,
    inactive: inactive - sign * moved,
  };
  return { ...list, users, totals };
}

/**
 * Update the status of accounts in the cache. A list on the page keeps its rows, so that nothing
 * moves under the pointer; all other queries with users are refetched.
 */
export function setCachedStatus(client: QueryClient, ids: string[], status: AccountStatus) {
  client.setQueriesData<Users>({ queryKey: ['staff', 'users'] }, (list) =>
    list ? withStatus(list, ids, status) : list,
  );
  client.invalidateQueries({ queryKey: ['staff', 'users'], refetchType: 'none' });
  for (const key of [
    ['staff', 'doctors'],
    ['staff', 'doctor'],
    ['workspace'],
    ['doctors'],
    ['doctor'],
  ]) {
    client.invalidateQueries({ queryKey: key });
  }
}
