import { useLingui } from '@lingui/react/macro';
import { useEffect } from 'react';
import { Navigate } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { toast } from '@/ui/toasts';

/** Redirect unknown URLs to the home page, with a message. */
export function NotFound() {
  const { t } = useLingui();
  useEffect(() => {
    toast.error(t`We couldn’t find that page. The link may be old or incomplete.`);
  }, [t]);
  return <Navigate replace to={paths.home} />;
}
