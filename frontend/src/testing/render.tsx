import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { type RenderOptions, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import { createQueryClient } from '@/api/queries';
import { SessionProvider } from '@/domain/session/session';

function Language({ children }: { children: ReactNode }) {
  return <I18nProvider i18n={i18n}>{children}</I18nProvider>;
}

/** Render components inside the I18nProvider that useLingui and Trans need. */
export function renderUi(ui: ReactNode, options: Omit<RenderOptions, 'queries' | 'wrapper'> = {}) {
  return render(ui, { ...options, wrapper: Language });
}

function Where() {
  const { pathname, search } = useLocation();
  return <span data-testid="where">{pathname + search}</span>;
}

/**
 * Render a page at its address, with session, queries and router around it, as the site has.
 * `pattern` names the parameters of the address.
 */
export function renderAt(path: string, page: ReactNode, pattern = path.split('?')[0]) {
  return renderUi(
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <MemoryRouter initialEntries={[path]}>
          <Routes>
            <Route path={pattern} element={page} />
            <Route path="*" element={null} />
          </Routes>
          <Where />
        </MemoryRouter>
      </SessionProvider>
    </QueryClientProvider>,
  );
}
