import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import { dashboardOf } from '@/lib/paths';
import { useComeBack } from './useComeBack';

/** After sign-in or registration: on to where the person was going, else to the role's dashboard. */
export function GoOn({ role, next }: { role: string; next: string | null }) {
  const navigate = useNavigate();
  const back = useComeBack() && next !== null;
  const gone = useRef(false);
  useEffect(() => {
    if (gone.current) return;
    gone.current = true;
    if (back) navigate(-1);
    else navigate(next ?? dashboardOf(role), { replace: true });
  }, [navigate, back, next, role]);
  return null;
}
