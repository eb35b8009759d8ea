import { useLingui } from '@lingui/react';
import { type ComponentType, lazy, type ReactNode } from 'react';
import type { RouteObject } from 'react-router-dom';
import type { Role } from '@/api/types';
import { SessionErrorBanner } from '@/app/layout/SessionErrorBanner';
import { RequireRole, RequireSession } from '@/domain/session/guards';
import { catalogName, loadCatalogs } from '@/lib/i18n';
import { RestoreTypedInput } from '@/lib/preHydrationInput';

export interface Guard {
  (page: ReactNode): ReactNode;
  /**
   * The build prerenders the page as visitors first see it (prerender.tsx), and React hydrates
   * it. Never for forms with confidential fields: before the code loads, the browser would
   * submit them itself, in the URL.
   */
  isPrerendered?: true;
}

/** Route data for the app entry and the build. */
export interface Handle {
  isPrerendered?: true;
  /** Load the page's code, so that it renders without suspending. */
  load: LoadPage;
}

export const publicPage: Guard = (page) => (
  <>
    <SessionErrorBanner />
    {page}
  </>
);
export const publicPrerenderedPage: Guard = Object.assign(publicPage.bind(null), {
  isPrerendered: true as const,
});
export const requireSession: Guard = (page) => <RequireSession>{page}</RequireSession>;
export const requireRole =
  (...roles: Role[]): Guard =>
  (page) => <RequireRole roles={roles}>{page}</RequireRole>;

export type LoadPage = () => Promise<{ default: ComponentType }>;

/** Create a route: a path below `base`, its guard, and the lazily loaded page with its messages. */
export function route(path: string, guard: Guard, page: LoadPage, base = ''): RouteObject {
  const loadPage: LoadPage = async () => {
    const [module] = await Promise.all([page(), loadCatalogs(catalogName(base + path))]);
    return module;
  };
  let Page: ComponentType = lazy(loadPage);
  // A page loaded before the first render does not suspend, so no spinner appears.
  const load = async () => {
    const module = await loadPage();
    Page = module.default;
    return module;
  };
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each line, when the map is read.
  const RoutePage = () => {
    // Another language renders the page again.
    useLingui();
    return (
      <>
        <Page />
        <RestoreTypedInput />
      </>
    );
  };
  const handle: Handle = { isPrerendered: guard.isPrerendered, load };
  return { path, element: guard(<RoutePage />), handle };
}
