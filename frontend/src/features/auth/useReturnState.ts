import { useLocation } from 'react-router-dom';
import { RETURN_STATE } from '@/domain/session/returnState';

/** Return whether this sign-in page stands on top of the page to come back to. */
export function useReturnState(): boolean {
  return useLocation().state === RETURN_STATE;
}
