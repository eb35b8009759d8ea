import { type ComponentType, lazy, type ReactNode } from 'react';
import type { RouteObject } from 'react-router-dom';
import type { Role } from '@/api/types';
import { RequireRole, RequireSession } from '@/domain/session/guards';
import { SessionNote } from '@/features/layout/SessionNote';

type Guard = (page: ReactNode) => ReactNode;

export const open: Guard = (page) => (
  <>
    <SessionNote />
    {page}
  </>
);
export const anyone: Guard = (page) => <RequireSession>{page}</RequireSession>;
export const only =
  (...roles: Role[]): Guard =>
  (page) => <RequireRole roles={roles}>{page}</RequireRole>;

/** One line of the map: an address, who may see it, and the page, loaded when first visited. */
export function route(
  path: string,
  guard: Guard,
  page: () => Promise<{ default: ComponentType }>,
): RouteObject {
  const Page = lazy(page);
  return { path, element: guard(<Page />) };
}
