import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { hasCode, messageOf } from '@/api/errors';
import { invalidateAppointments } from '@/api/queries';
import { previewSchedule, saveSchedule, scheduleQuery } from '@/api/schedule';
import { getProfile } from '@/api/session';
import type { AffectedAppointment, Decision, Schedule } from '@/api/types';
import { outcomeText } from '@/domain/schedule/affectedChoices';
import { useSession, useUser } from '@/domain/session/session';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';
import { checkDraft, isSameDraft, readDraft, storeDraft, toDraft, toSchedule } from './draft';
import { useLeaveWarning } from './useLeaveWarning';

/** The form of the schedule; `affected` are the appointments to decide about before it can be saved. */
export function useScheduleForm(schedule: Schedule) {
  const user = useUser();
  const { setUser } = useSession();
  const client = useQueryClient();
  const [restoredDraft] = useState(() => readDraft(user._id));
  const [affected, setAffected] = useState<AffectedAppointment[] | null>(null);
  // The scroll position before the list of affected appointments replaced the page.
  const scrollPosition = useRef<number | null>(null);

  const showAffected = (appointments: AffectedAppointment[]) => {
    scrollPosition.current = window.scrollY;
    setAffected(appointments);
  };
  useLayoutEffect(() => {
    if (affected) window.scrollTo(0, 0);
    else if (scrollPosition.current !== null) window.scrollTo(0, scrollPosition.current);
  }, [affected]);

  const onSaved = (schedule: Schedule, decisions: Record<string, Decision> = {}) => {
    client.setQueryData(scheduleQuery.queryKey, schedule);
    form.reset(toDraft(schedule));
    setAffected(null);
    void invalidateAppointments(client);
    // The profile shows days, hours and zone too.
    getProfile().then(setUser, () => {});
    const outcome = outcomeText(decisions);
    toast.success(outcome ? t`Schedule saved. ${outcome}` : t`Schedule saved`);
  };

  const form = useForm({
    values: restoredDraft ?? toDraft(schedule),
    validate: checkDraft,
    submit: async (draft) => {
      const body = toSchedule(draft);
      const preview = await previewSchedule(body);
      if (preview.affected.length > 0) {
        showAffected(preview.affected);
        return;
      }
      try {
        onSaved((await saveSchedule(body)).schedule);
      } catch (error) {
        // Somebody booked between the two requests.
        if (!hasCode(error, 'visits_affected')) throw error;
        showAffected((error.data.affected ?? []) as AffectedAppointment[]);
      }
    },
    message: (error) => messageOf(error, t`We couldn’t save the schedule`),
  });
  const { values } = form;

  const saveWithDecisions = async (decisions: Record<string, Decision>, reason: string) => {
    const body = { ...toSchedule(values), visits: decisions, reason };
    onSaved((await saveSchedule(body)).schedule, decisions);
  };

  const savedDraft = toDraft(schedule);
  const isDirty = !isSameDraft(values, savedDraft);
  useLeaveWarning(isDirty);
  useEffect(() => storeDraft(user._id, isDirty ? values : null), [user._id, isDirty, values]);

  return {
    form,
    isDirty,
    /** Whether unsaved changes were restored. */
    isRestored: restoredDraft !== null,
    undo: () => form.reset(savedDraft),
    affected,
    clearAffected: () => setAffected(null),
    saveWithDecisions,
  };
}
