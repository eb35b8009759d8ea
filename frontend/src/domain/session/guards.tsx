import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import type { Role } from '@/api/types';
import { paths } from '@/lib/paths';
import { getSiteSettings } from '@/lib/siteSettings';
import { ErrorState } from '@/ui/ErrorState';
import { PageHeading } from '@/ui/PageHeading';
import { Spinner } from '@/ui/Spinner';
import { Stack } from '@/ui/Stack';
import { useSession } from './session';

/**
 * Render children for signed-in users only: a spinner while the session loads, a redirect to
 * `/login?next=…` without one. For convenience: the server enforces every rule.
 */
export function RequireSession({ children }: { children: ReactNode }) {
  const { t } = useLingui();
  const { siteName } = getSiteSettings();
  const session = useSession();
  const { pathname, search } = useLocation();
  switch (session.state) {
    case 'loading':
      return <Spinner />;
    case 'unreachable':
      return (
        <Stack gap={5} className="column">
          <PageHeading>{t`We can’t reach ${siteName} right now`}</PageHeading>
          <ErrorState title={t`You’re still signed in.`} onRetry={session.retry} />
        </Stack>
      );
    case 'signed-out':
      if (session.isLeaving) return <Spinner />;
      return <Navigate replace to={paths.login({ next: pathname + search })} />;
    case 'signed-in':
      return children;
  }
}

/** Allow only these roles; redirect others to the home page. */
export function RequireRole({ roles, children }: { roles: Role[]; children: ReactNode }) {
  return (
    <RequireSession>
      <RoleGate roles={roles}>{children}</RoleGate>
    </RequireSession>
  );
}

function RoleGate({ roles, children }: { roles: Role[]; children: ReactNode }) {
  const { user } = useSession();
  return user && roles.includes(user.role) ? children : <Navigate replace to={paths.home} />;
}
