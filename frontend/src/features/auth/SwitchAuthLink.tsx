import type { ReactNode } from 'react';
import { useHref, useLinkClickHandler } from 'react-router-dom';
import { RETURN_STATE } from '@/domain/session/returnState';
import { useReturnState } from './useReturnState';

/** A link between sign-in and registration, which share one history entry. */
export function SwitchAuthLink({ to, children }: { to: string; children: ReactNode }) {
  const comeBack = useReturnState();
  const href = useHref(to);
  const follow = useLinkClickHandler(to, {
    replace: comeBack,
    state: comeBack ? RETURN_STATE : undefined,
  });
  return (
    <a href={href} onClick={follow}>
      {children}
    </a>
  );
}
