import { useEffect, useState, useSyncExternalStore } from 'react';
import type { AppointmentFile } from '@/api/types';
import { useUser } from '@/domain/session/session';
import { createDraftAutosave, type DraftAutosave } from './draftAutosave';

/** The keeper of what is typed about an appointment, for as long as its page is shown. */
export function useDraftAutosave(file: AppointmentFile): DraftAutosave {
  const { _id } = useUser();
  const [keeper] = useState(() => createDraftAutosave(_id, file));
  const keeping = useSyncExternalStore(keeper.subscribe, keeper.keeping);

  useEffect(() => {
    keeper.enter();
    // A phone may never come back to a page that it has put aside.
    const onHidden = () => {
      if (document.visibilityState === 'hidden') void keeper.flush();
    };
    document.addEventListener('visibilitychange', onHidden);
    return () => {
      document.removeEventListener('visibilitychange', onHidden);
      void keeper.leave();
    };
  }, [keeper]);

  useEffect(() => keeper.offer(file), [keeper, file]);

  const unsaved = keeping.state !== 'kept';
  useEffect(() => {
    if (!unsaved) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onUnload);
    return () => window.removeEventListener('beforeunload', onUnload);
  }, [unsaved]);

  return keeper;
}
