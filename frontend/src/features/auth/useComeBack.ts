import { useLocation } from 'react-router-dom';
import { COME_BACK } from '@/domain/session/comeBack';

/** Tell whether this sign-in page stands on top of the page to come back to. */
export function useComeBack(): boolean {
  return useLocation().state === COME_BACK;
}
