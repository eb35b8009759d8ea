import { useQueryClient } from '@tanstack/react-query';
import { mfaQuery, passkeysQuery } from '@/api/mfa';
import { sessionsQuery } from '@/api/profile';
import { useSession, useUser } from '@/domain/session/session';

/**
 * Handle a change; enabling the second step also ends other sessions and lifts the restriction of
 * admins.
 */
export function useMfaChanged(): () => Promise<void> {
  const client = useQueryClient();
  const user = useUser();
  const { setUser } = useSession();
  return async () => {
    const { due } = await client.fetchQuery({ ...mfaQuery, staleTime: 0 });
    await client.invalidateQueries(passkeysQuery);
    if (user.role === 'admin' && user.secondStepDue !== due) {
      setUser({ ...user, secondStepDue: due });
    }
    if (!due) await client.invalidateQueries(sessionsQuery);
  };
}
