import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { dashboardOf } from '@/lib/paths';
import { useReturnState } from './useReturnState';

/** After sign-in or registration: redirect to the requested page, else to the role's dashboard. */
export function RedirectAfterLogin({ role, next }: { role: string; next: string | null }) {
  const navigate = useNavigate();
  const back = useReturnState() && next !== null;
  const gone = useRef(false);
  useEffect(() => {
    if (gone.current) return;
    gone.current = true;
    if (back) navigate(-1);
    else navigate(next ?? dashboardOf(role), { replace: true });
  }, [navigate, back, next, role]);
  return null;
}
