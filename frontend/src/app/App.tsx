import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { CrashPage } from '@/app/layout/CrashPage';
import { ErrorBoundary } from '@/app/layout/ErrorBoundary';
import { SessionProvider } from '@/domain/session/session';

interface Props {
  client: QueryClient;
  /** The router of the place: the browser's, or the build's. */
  router: (pages: ReactNode) => ReactNode;
  children: ReactNode;
}

/** What stands around the pages; the same in the browser and where the build draws them. */
export function App({ client, router, children }: Props) {
  return (
    <StrictMode>
      <QueryClientProvider client={client}>
        <SessionProvider>
          {router(<ErrorBoundary fallback={<CrashPage />}>{children}</ErrorBoundary>)}
        </SessionProvider>
      </QueryClientProvider>
    </StrictMode>
  );
}
