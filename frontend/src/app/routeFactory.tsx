import { type ComponentType, lazy, type ReactNode } from 'react';
import type { RouteObject } from 'react-router-dom';
import type { Role } from '@/api/types';
import { SessionErrorBanner } from '@/app/layout/SessionErrorBanner';
import { RequireRole, RequireSession } from '@/domain/session/guards';
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
  load: () => Promise<{ default: ComponentType }>;
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

/** Create a route: a path, its guard, and the lazily loaded page. */
export function route(
  path: string,
  guard: Guard,
  page: () => Promise<{ default: ComponentType }>,
): RouteObject {
  let Page: ComponentType = lazy(page);
  // A page loaded before the first render does not suspend, so no spinner appears.
  const load = async () => {
    const module = await page();
    Page = module.default;
    return module;
  };
  // biome-ignore lint/correctness/noComponentHookFactories: called once for each line, when the map is read.
  const RoutePage = () => (
    <>
      <Page />
      <RestoreTypedInput />
    </>
  );
  const handle: Handle = { isPrerendered: guard.isPrerendered, load };
  return { path, element: guard(<RoutePage />), handle };
}
