import { Trans, useLingui } from '@lingui/react/macro';
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
  const { t } = useLingui();
  const { data: sessions, isError, isFetching, refetch } = useQuery(sessionsQuery);
  const others = useEndSession(endOtherSessions, t`Signed out everywhere else`);
  return (
    <Card as="section" gap={4} aria-labelledby="sessions">
      <h2 id="sessions">{t`Where you’re signed in`}</h2>
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
                {t`Sign out everywhere else`}
              </Button>
            </div>
          )}
        </>
      ) : isError ? (
        <ErrorState
          title={t`We couldn’t load your sessions`}
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
  const { t } = useLingui();
  const client = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: async () => {
      await client.invalidateQueries(sessionsQuery);
      toast.success(successMessage);
    },
    onError: (error) => toast.error(messageOf(error, t`We couldn’t end the session`)),
  });
}

function Row({ session }: { session: SessionRow }) {
  const { t } = useLingui();
  const end = useEndSession(() => endSession(session._id), t`Signed out there`);
  const name = deviceName(session.userAgent);
  const { ipAddress } = session;
  const lastUsed = formatRelative(session.lastSeenAt);
  const signedIn = formatInstant(session.createdAt);
  return (
    <Toolbar as="li" className={styles.session}>
      <div>
        <strong>{name}</strong> {session.current && <Badge tone="green">{t`This device`}</Badge>}
        <div className="muted small">
          {ipAddress
            ? t`Last used ${lastUsed} from ${ipAddress}. Signed in ${signedIn}.`
            : t`Last used ${lastUsed}. Signed in ${signedIn}.`}
        </div>
      </div>
      {!session.current && (
        <Button variant="secondary" busy={end.isPending} onClick={() => end.mutate()}>
          <Trans>
            Sign out <span className="visually-hidden">{name}</span>
          </Trans>
        </Button>
      )}
    </Toolbar>
  );
}
