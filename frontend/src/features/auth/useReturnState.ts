import { useLocation } from 'react-router-dom';
import { RETURN_STATE } from '@/domain/session/returnState';

/** Return whether this sign-in page was opened on top of the page to return to. */
export function useReturnState(): boolean {
  return useLocation().state === RETURN_STATE;
}
