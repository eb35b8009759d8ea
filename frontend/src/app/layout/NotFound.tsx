import { useEffect } from 'react';
import { Navigate } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { toast } from '@/ui/toasts';

/** Redirect unknown URLs to the home page, with a message. */
export function NotFound() {
  useEffect(() => {
    toast.error('We couldn’t find that page. The link may be old or incomplete.');
  }, []);
  return <Navigate replace to={paths.home} />;
}
