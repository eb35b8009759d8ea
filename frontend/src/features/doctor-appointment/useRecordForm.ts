import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ApiError, messageOf } from '@/api/errors';
import { invalidateAppointments, setAppointment } from '@/api/queries';
import { appointmentFileQuery, saveRecord } from '@/api/records';
import type { Appointment, AppointmentRecord, RecordContent } from '@/api/types';
import { paths } from '@/lib/paths';
import { confirm } from '@/ui/confirm';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';
import type { DraftAutosave } from './draftAutosave';
import {
  checkRecord,
  getCurrentRecord,
  hasSameContent,
  type RecordValues,
  toDraft,
  toFormValues,
  toRecord,
  toRowErrors,
} from './recordFields';

interface Options {
  appointment: Appointment;
  record: AppointmentRecord;
  autosave: DraftAutosave;
  /** The form disappears after the action, so move the focus. */
  onDone: () => void;
}

type Action = 'save' | 'complete';

/** Save a record, complete its appointment after a confirmation, or discard its draft. */
export function useRecordForm({ appointment, record, autosave, onDone }: Options) {
  const client = useQueryClient();
  const navigate = useNavigate();
  /** The record to save with the completed appointment. */
  const [completingRecord, setCompletingRecord] = useState<RecordContent | null>(null);
  const action = useRef<Action>('save');
  const isCompleted = appointment.status === 'completed';
  const { queryKey } = appointmentFileQuery(appointment._id);
  const viewPath = paths.doctorAppointment(appointment._id);

  const applySaved = (savedRecord: AppointmentRecord, savedAppointment: Appointment) => {
    client.setQueryData(queryKey, (file) => file && { ...file, record: savedRecord, draft: null });
    autosave.onRecordSaved(savedRecord);
    void setAppointment(client, savedAppointment);
  };

  /** Save and return whether that succeeded; the conflict banner handles a newer record. */
  const save = async (content: RecordContent, values: RecordValues): Promise<boolean> => {
    await autosave.hold();
    try {
      const { data, message } = await saveRecord(appointment._id, {
        ...content,
        version: autosave.version,
      });
      applySaved(data.record, data.appointment);
      toast.success(message || t`Record saved`);
      return true;
    } catch (error) {
      const current = getCurrentRecord(error);
      if (current && !hasSameContent(current, content)) {
        autosave.onRecordConflict(current);
        return false;
      }
      if (current) {
        // An earlier attempt succeeded but its response was lost.
        autosave.onRecordSaved(current);
        void invalidateAppointments(client);
        toast.success(t`Record saved`);
        return true;
      }
      autosave.release();
      if (!(error instanceof ApiError)) throw error;
      const { status, code, message, errors, data } = error;
      throw new ApiError(status, { code, message, data, errors: toRowErrors(errors, values) });
    }
  };

  const form = useForm({
    values: toFormValues(autosave.content),
    validate: checkRecord,
    submit: async (typed) => {
      const content = toRecord(typed);
      if (action.current === 'complete') {
        setCompletingRecord(content);
        return;
      }
      const isSaved = await save(content, typed);
      if (isSaved && isCompleted) {
        navigate(viewPath, { replace: true, state: { keepScroll: true } });
        onDone();
      }
    },
    message: (error) => messageOf(error, t`Failed to save the record`),
  });

  const { values } = form;
  useEffect(() => autosave.change(toDraft(values)), [autosave, values]);

  const submit = (next: Action) => {
    action.current = next;
    form.onSubmit();
  };

  const discardDraft = async () => {
    const isSure = await confirm({
      title: t`Discard this draft?`,
      body:
        record.version > 0
          ? t`You’ll lose what you typed since you last saved. The record stays as it is.`
          : t`You’ll lose everything you typed. You haven’t saved a record yet.`,
      action: t`Discard draft`,
      dismiss: t`Keep writing`,
      tone: 'danger',
    });
    if (!isSure) return;
    try {
      await autosave.discard(record);
      client.setQueryData(queryKey, (file) => file && { ...file, draft: null });
      if (isCompleted) navigate(viewPath, { replace: true });
      onDone();
    } catch (error) {
      toast.error(messageOf(error, t`Failed to discard the draft`));
    }
  };

  return {
    form,
    isSaving: form.busy && action.current === 'save',
    submit,
    discardDraft,
    applySaved,
    completingRecord,
    cancelCompletion: () => setCompletingRecord(null),
  };
}
