import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { CrashPage } from '@/app/layout/CrashPage';
import { ErrorBoundary } from '@/app/layout/ErrorBoundary';
import { SessionProvider } from '@/domain/session/session';

interface Props {
  client: QueryClient;
  /** The browser's router, or the static one for prerendering. */
  router: (pages: ReactNode) => ReactNode;
  children: ReactNode;
}

/** The providers around the pages, for the browser and for prerendering. */
export function App({ client, router, children }: Props) {
  return (
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={client}>
          <SessionProvider>
            {router(<ErrorBoundary fallback={<CrashPage />}>{children}</ErrorBoundary>)}
          </SessionProvider>
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>
  );
}
