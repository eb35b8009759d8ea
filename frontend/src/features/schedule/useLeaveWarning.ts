import { t } from '@lingui/core/macro';
import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { confirm } from '@/ui/confirm';

/**
 * While there are unsaved changes, ask before following a link, and let the browser ask before
 * closing the tab. Back navigation cannot be intercepted; a draft is kept for that case.
 */
export function useLeaveWarning(hasUnsaved: boolean): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!hasUnsaved) return;
    const onClick = async (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (!(link instanceof HTMLAnchorElement) || link.target || link.origin !== location.origin)
        return;
      if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
      // Links within the page (error summary, skip link) do not leave it.
      if (link.pathname === location.pathname) return;
      event.preventDefault();
      event.stopPropagation();
      const leave = await confirm({
        title: t`Leave without saving?`,
        body: t`Your schedule changes aren’t saved yet.`,
        action: t`Leave`,
        dismiss: t`Stay here`,
      });
      if (leave) navigate(link.pathname + link.search + link.hash);
    };
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    // Run before the router handles the click.
    document.addEventListener('click', onClick, true);
    window.addEventListener('beforeunload', onUnload);
    return () => {
      document.removeEventListener('click', onClick, true);
      window.removeEventListener('beforeunload', onUnload);
    };
  }, [hasUnsaved, navigate]);
}
