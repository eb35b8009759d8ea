import { type Query, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { ApiError } from '@/api/errors';
import { getProfile, logOut, type SignedIn } from '@/api/session';
import { getToken, setToken, subscribeToken } from '@/api/token';
import type { User } from '@/api/types';
import { markSession } from '@/lib/sessionMarker';
import { clearTabDrafts } from '@/lib/tabDrafts';

const PROFILE_KEY = ['profile'];

export interface Session {
  /** `unreachable`: a token exists, but the server could not be asked about it. */
  state: 'loading' | 'signed-out' | 'signed-in' | 'unreachable';
  user: User | null;
  /** The session expired (idle or by the server), which the sign-in page mentions. */
  hasExpired: boolean;
  signIn: (answer: SignedIn) => void;
  /** Signing out, on the way to a public page: guards wait instead of redirecting to sign-in. */
  isLeaving: boolean;
  signOut: () => void;
  /** Clear the session without telling the server, which has already ended it. */
  clearSession: () => void;
  /** The page has changed, so reset `isLeaving`. */
  finishLeaving: () => void;
  /** Clear the token and all private data after the session has ended. */
  expire: () => void;
  /** Replace the cached profile. */
  setUser: (user: User) => void;
  retry: () => void;
}

const SessionContext = createContext<Session | null>(null);

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error('useSession needs a SessionProvider around it');
  return session;
}

/** Return the signed-in user; only below a guard. */
export function useUser(): User {
  const { user } = useSession();
  if (!user) throw new Error('useUser needs a signed-in person');
  return user;
}

/**
 * Marks content for visitors, which theme.css hides while a token exists and the session is
 * loading.
 */
export function visitorAttributes({ state }: Session): { 'data-visitor'?: '' } {
  return state === 'signed-out' || state === 'loading' ? { 'data-visitor': '' } : {};
}

/** Whether an admin must set up a second step first: the server rejects all other requests. */
export function mustSetUpMfa(user: User | null): boolean {
  return user?.role === 'admin' && user.secondStepDue;
}

/**
 * Provide the session: the token decides whether there may be one, the profile identifies the user.
 */
export function SessionProvider({ children }: { children: ReactNode }) {
  const client = useQueryClient();
  const token = useSyncExternalStore(subscribeToken, getToken, () => null);
  const [hasExpired, setHasExpired] = useState(false);
  const [isLeaving, setIsLeaving] = useState(false);
  const finishLeaving = useCallback(() => setIsLeaving(false), []);

  const profile = useQuery({
    queryKey: PROFILE_KEY,
    queryFn: ({ signal }) =>
      getProfile({ signal }).catch((error) => {
        // Only the sign-in page after a private page shows this.
        if (error instanceof ApiError && error.status === 401) setHasExpired(true);
        throw error;
      }),
    enabled: token !== null,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });

  useEffect(() => markSession(token !== null), [token]);

  // An error response ends the session; an outage keeps the token.
  const { error } = profile;
  const isRefused = error instanceof ApiError && !error.isOutage;
  useEffect(() => {
    if (isRefused) setToken(null);
  }, [isRefused]);

  // Clear private data whenever the token is removed (another tab, a 401).
  const hadToken = useRef(token !== null);
  useEffect(() => {
    // Not on mount, when the page's own queries have just begun and a visitor's drafts must
    // survive.
    if (token === null && hadToken.current) {
      clearPrivateQueries(client);
      clearTabDrafts();
    }
    hadToken.current = token !== null;
  }, [token, client]);

  const expire = useCallback(() => {
    setToken(null);
    setHasExpired(true);
  }, []);

  const { refetch } = profile;
  const session = useMemo<Session>(() => {
    const user = token === null ? null : (profile.data ?? null);
    const clearSession = () => {
      setIsLeaving(true);
      setHasExpired(false);
      setToken(null);
    };
    return {
      user,
      state:
        token === null || isRefused
          ? 'signed-out'
          : user
            ? 'signed-in'
            : error && !profile.isFetching
              ? 'unreachable'
              : 'loading',
      hasExpired,
      signIn: (answer) => {
        setToken(answer.token);
        clearPrivateQueries(client);
        client.setQueryData(PROFILE_KEY, answer.user);
        setHasExpired(false);
      },
      isLeaving,
      signOut: () => {
        // The response does not matter, so do not wait for it.
        logOut().catch(() => {});
        clearSession();
      },
      clearSession,
      finishLeaving,
      expire,
      setUser: (user) => client.setQueryData(PROFILE_KEY, user),
      retry: () => void refetch(),
    };
  }, [
    token,
    profile.data,
    profile.isFetching,
    error,
    isRefused,
    hasExpired,
    isLeaving,
    client,
    expire,
    finishLeaving,
    refetch,
  ]);

  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Public queries, which are kept when the session changes. */
const PUBLIC_QUERY_KEYS = new Set<unknown>(['config', 'doctors', 'doctor', 'slots']);

/**
 * Remove all cached responses that are not public. Queries in use are reset and refetched for the
 * current user: a removed one would never get a response.
 */
function clearPrivateQueries(client: ReturnType<typeof useQueryClient>) {
  const predicate = (query: Query) => !PUBLIC_QUERY_KEYS.has(query.queryKey[0]);
  client.removeQueries({ type: 'inactive', predicate });
  void client.resetQueries({ type: 'active', predicate });
}
