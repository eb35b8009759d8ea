import { type ComponentType, lazy, type ReactNode } from 'react';
import type { RouteObject } from 'react-router-dom';
import type { Role } from '@/api/types';
import { SessionErrorBanner } from '@/app/layout/SessionErrorBanner';
import { RequireRole, RequireSession } from '@/domain/session/guards';
import { RestoreTypedInput } from '@/lib/preHydrationInput';

export interface Guard {
  (page: ReactNode): ReactNode;
  /**
   * The build draws the page as every visitor sees it at first (prerender.tsx), and React takes that
   * over. Never a form that holds what nobody else may read: before the code is here the browser would
   * send it by itself, in the address.
   */
  isPrerendered?: true;
}

/** What the start of the page and the build want to know of a route. */
export interface Handle {
  isPrerendered?: true;
  /** Bring the page's code; from then on it is there at once. */
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

/** One line of the map: an address, who may see it, and the page, loaded when first visited. */
export function route(
  path: string,
  guard: Guard,
  page: () => Promise<{ default: ComponentType }>,
): RouteObject {
  let Page: ComponentType = lazy(page);
  // What was loaded before the first drawing needs no waiting, and so no spinner.
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
