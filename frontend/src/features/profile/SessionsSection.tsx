import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { messageOf } from '@/api/errors';
import { endOtherSessions, endSession, sessionsQuery } from '@/api/profile';
import type { SessionRow } from '@/api/types';
import { formatInstant, formatRelative } from '@/lib/dates';
import { Badge } from '@/ui/Badge';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { ErrorState } from '@/ui/ErrorState';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { Toolbar } from '@/ui/Toolbar';
import { toast } from '@/ui/toasts';
import { deviceName } from './deviceName';
import styles from './profile.module.css';

/** Active sessions, with buttons to end them. */
export function SessionsSection() {
  const { data: sessions, isError, isFetching, refetch } = useQuery(sessionsQuery);
  const others = useEndSession(endOtherSessions, 'Signed out everywhere else');
  return (
    <Card as="section" gap={4} aria-labelledby="sessions">
      <h2 id="sessions">Where you are signed in</h2>
      {sessions ? (
        <>
          <Stack as="ul" gap={0} divided>
            {sessions.map((session) => (
              <Row key={session._id} session={session} />
            ))}
          </Stack>
          {sessions.length > 1 && (
            <div>
              <Button variant="secondary" busy={others.isPending} onClick={() => others.mutate()}>
                Sign out everywhere else
              </Button>
            </div>
          )}
        </>
      ) : isError ? (
        <ErrorState
          title="We could not load your sessions"
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : (
        <Skeletons count={2}>
          <Skeleton height={56} />
        </Skeletons>
      )}
    </Card>
  );
}

/** End sessions and show the remaining ones. */
function useEndSession(mutationFn: () => Promise<unknown>, successMessage: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      await client.invalidateQueries(sessionsQuery);
      toast.success(successMessage);
    },
    onError: (error) => toast.error(messageOf(error, 'Failed to end the session')),
  });
}

function Row({ session }: { session: SessionRow }) {
  const end = useEndSession(() => endSession(session._id), 'Signed out there');
  const name = deviceName(session.userAgent);
  return (
    <Toolbar as="li" className={styles.session}>
      <div>
        <strong>{name}</strong> {session.current && <Badge tone="green">This device</Badge>}
        <div className="muted small">
          Last used {formatRelative(session.lastSeenAt)}
          {session.ipAddress && ` from ${session.ipAddress}`}; since{' '}
          {formatInstant(session.createdAt)}
        </div>
      </div>
      {!session.current && (
        <Button variant="secondary" busy={end.isPending} onClick={() => end.mutate()}>
          Sign out <span className="visually-hidden">{name}</span>
        </Button>
      )}
    </Toolbar>
  );
}
