import { useLocation } from 'react-router-dom';
import { COME_BACK } from '@/domain/session/comeBack';

/** The state of a sign-in page on top of the page to come back to, or undefined. */
export function useComeBack(): typeof COME_BACK | undefined {
  const { state } = useLocation();
  return (state as Partial<typeof COME_BACK> | null)?.comeBack ? COME_BACK : undefined;
}
