import { useEffect, useState, useSyncExternalStore } from 'react';
import type { AppointmentFile } from '@/api/types';
import { useUser } from '@/domain/session/session';
import { createDraftAutosave, type DraftAutosave } from './draftAutosave';

/** Autosave the draft of an appointment while its page is shown. */
export function useDraftAutosave(file: AppointmentFile): DraftAutosave {
  const { _id } = useUser();
  const [autosave] = useState(() => createDraftAutosave(_id, file));
  const status = useSyncExternalStore(autosave.subscribe, autosave.getState);

  useEffect(() => {
    autosave.mount();
    // Phones may discard a page in the background.
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
