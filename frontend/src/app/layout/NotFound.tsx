import { useEffect } from 'react';
import { Navigate } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { toast } from '@/ui/toasts';

/** Go home from an unknown address, and say so: somebody with a broken link should know why. */
export function NotFound() {
  useEffect(() => {
    toast.error('We couldn’t find that page. The link may be old or incomplete.');
  }, []);
  return <Navigate replace to={paths.home} />;
}
