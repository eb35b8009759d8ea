import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { getBookingDraft } from '@/api/bookingDraft';
import type { Session } from '@/domain/session/session';
import type { Form } from '@/ui/useForm';
import {
  type Draft,
  deleteDraft,
  hasDraft,
  isBlank,
  readDraft,
  saveNow,
  storeDraft,
} from './draft';

/** Why the typed text was cleared: the session ended, or another user signed in. */
export type ClearReason = 'signed-out' | 'other-account';

/**
 * Tie the form's text to its author: load it from the account, save it there, and
 * clear it when the author signs out.
 */
export function useDraft(doctorId: string, session: Session, form: Form<Draft>) {
  const owner = session.user?._id ?? null;
  const client = useQueryClient();
  const [clearReason, setCleared] = useState<ClearReason | null>(null);
  const latest = useRef({ form, session });
  useEffect(() => {
    latest.current = { form, session };
  });

  const previousOwner = useRef(owner);
  useEffect(() => {
    const before = previousOwner.current;
    previousOwner.current = owner;
    if (before === owner) return;
    const { form, session } = latest.current;
    if (before === null) {
      // A visitor's text is handed to the user who signs in.
      if (isBlank(form.values)) form.reset(readDraft(doctorId, owner));
      else storeDraft(doctorId, owner, form.values);
      return;
    }
    if (!isBlank(form.values)) setCleared(owner === null ? 'signed-out' : 'other-account');
    // After an expired session, the same user can restore the text.
    if (!session.hasExpired) deleteDraft(doctorId);
    form.reset(readDraft(doctorId, owner));
  }, [owner, doctorId]);

  useEffect(() => {
    const { form, session } = latest.current;
    // Back from sign-in: the visitor's text moves into the account.
    if (session.user && !isBlank(form.values)) storeDraft(doctorId, session.user._id, form.values);
  }, [doctorId]);

  const savedDraft = useQuery({
    queryKey: ['booking-draft', doctorId],
    queryFn: ({ signal }) => getBookingDraft(doctorId, { signal }),
    enabled: session.user?.role === 'patient' && !hasDraft(doctorId),
    staleTime: 0,
    retry: false,
  }).data;
  useEffect(() => {
    if (savedDraft && !hasDraft(doctorId)) {
      latest.current.form.setAll({ symptoms: savedDraft.symptoms, notes: savedDraft.notes });
    }
  }, [savedDraft, doctorId]);

  useEffect(() => {
    const onHide = () => {
      if (document.hidden) saveNow(doctorId, true);
    };
    const onClose = () => saveNow(doctorId, true);
    document.addEventListener('visibilitychange', onHide);
    window.addEventListener('pagehide', onClose);
    return () => {
      document.removeEventListener('visibilitychange', onHide);
      window.removeEventListener('pagehide', onClose);
      saveNow(doctorId);
    };
  }, [doctorId]);

  return {
    clearReason,
    store: (draft: Draft) => {
      setCleared(null);
      storeDraft(doctorId, owner, draft);
    },
    remove: () => {
      deleteDraft(doctorId);
      client.removeQueries({ queryKey: ['booking-draft', doctorId] });
    },
  };
}
