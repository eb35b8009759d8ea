import { useQueryClient } from '@tanstack/react-query';
import { mfaQuery, passkeysQuery } from '@/api/mfa';
import { sessionsQuery } from '@/api/profile';
import { useSession, useUser } from '@/domain/session/session';

/** What to do after each change: the first second step also ends other sessions and opens the desk to staff. */
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
