import './layers.css';
import '@fontsource-variable/atkinson-hyperlegible-next/wght.css';
import './theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { createQueryClient } from '@/api/queries';
import { SessionProvider } from '@/domain/session/session';
import { CrashPage } from '@/features/layout/CrashPage';
import { ErrorBoundary } from '@/features/layout/ErrorBoundary';
import { applyColours } from '@/lib/colours';
import { reloadOnce } from '@/lib/stale';
import { Routes } from './routes';

applyColours();

// A tab opened before a deploy asks for code that is gone: take the new page, once.
window.addEventListener('vite:preloadError', (event) => {
  if (reloadOnce()) event.preventDefault();
});

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root');

const client = createQueryClient();
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <SessionProvider>
        <BrowserRouter>
          <ErrorBoundary fallback={<CrashPage />}>
            <Routes />
          </ErrorBoundary>
        </BrowserRouter>
      </SessionProvider>
    </QueryClientProvider>
  </StrictMode>,
);
