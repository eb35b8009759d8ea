import { Suspense, useCallback, useEffect } from 'react';
import { Navigate, Outlet, useLocation, useNavigate } from 'react-router-dom';
import { onSessionEnded } from '@/api/client';
import { RETURN_STATE } from '@/domain/session/returnState';
import { mustSetUpMfa, useSession } from '@/domain/session/session';
import { paths } from '@/lib/paths';
import { DialogHost } from '@/ui/dialogHost';
import { LinkContext } from '@/ui/Link';
import { SkipLink } from '@/ui/SkipLink';
import { Spinner } from '@/ui/Spinner';
import { Stack } from '@/ui/Stack';
import { Toasts } from '@/ui/toasts';
import { CrashPage } from './CrashPage';
import { ErrorBoundary } from './ErrorBoundary';
import { Footer } from './Footer';
import { Header } from './Header';
import styles from './Layout.module.css';
import { IdleWarning } from './lazySignedInComponents';
import { OfflineBanner } from './OfflineBanner';
import { PrintFooter } from './PrintFooter';
import { RouterLink } from './RouterLink';
import { useScrollRestoration } from './useScrollRestoration';

/** The frame of every page: header, main part, footer, and the places where messages appear. */
export function Layout() {
  const { pathname } = useLocation();
  const { finishLeaving, expire, user } = useSession();
  const navigate = useNavigate();
  const desk = pathname.startsWith('/doctor/') || pathname.startsWith('/admin/');
  useScrollRestoration();
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each change of page.
  useEffect(finishLeaving, [finishLeaving, pathname]);

  // The session expired: sign in again, then return to this page.
  const endSession = useCallback(() => {
    const { pathname: at, search } = window.location;
    expire();
    if (at !== '/login') navigate(paths.login({ next: at + search }), { state: RETURN_STATE });
  }, [expire, navigate]);
  useEffect(() => onSessionEnded(endSession), [endSession]);

  return (
    <LinkContext value={RouterLink}>
      <Stack gap={0} className={styles.frame} data-desk={desk ? '' : undefined}>
        <SkipLink />
        <Header />
        <OfflineBanner />
        <PrintFooter />
        <Toasts />
        <main id="main" tabIndex={-1} className={styles.main}>
          {/* Outside the key, so that the old page stays while the next one's code loads. */}
          <Suspense fallback={<Spinner />}>
            {/* A new page resets its state, even if the same component shows another record. */}
            <ErrorBoundary key={pathname} fallback={<CrashPage />}>
              {mustSetUpMfa(user) && pathname !== paths.profile ? (
                <Navigate replace to={paths.profile} />
              ) : (
                <Outlet />
              )}
            </ErrorBoundary>
          </Suspense>
        </main>
        <Footer />
      </Stack>
      <DialogHost />
      {user && <IdleWarning onTimeout={endSession} />}
    </LinkContext>
  );
}
