import { useEffect, useState, useSyncExternalStore } from 'react';
import type { AppointmentFile } from '@/api/types';
import { useUser } from '@/domain/session/session';
import { createDraftAutosave, type DraftAutosave } from './draftAutosave';

/** Save what is typed about an appointment, for as long as its page is shown. */
export function useDraftAutosave(file: AppointmentFile): DraftAutosave {
  const { _id } = useUser();
  const [autosave] = useState(() => createDraftAutosave(_id, file));
  const status = useSyncExternalStore(autosave.subscribe, autosave.getState);

  useEffect(() => {
    autosave.mount();
    // A phone may never come back to a page that it has put aside.
    const onHidden = () => {
      if (document.visibilityState === 'hidden') void autosave.flush();
    };
    document.addEventListener('visibilitychange', onHidden);
    return () => {
      document.removeEventListener('visibilitychange', onHidden);
      void autosave.unmount();
    };
  }, [autosave]);

  useEffect(() => autosave.update(file), [autosave, file]);

  const hasUnsaved = status.state !== 'kept';
  useEffect(() => {
    if (!hasUnsaved) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onUnload);
    return () => window.removeEventListener('beforeunload', onUnload);
  }, [hasUnsaved]);

  return autosave;
}
