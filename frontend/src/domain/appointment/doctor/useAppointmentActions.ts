import { i18n } from '@lingui/core';
import { msg, select, t } from '@lingui/core/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ChangedAppointment,
  reopenAppointment,
  type StatusChange,
  setAppointmentStatus,
} from '@/api/doctorDesk';
import { invalidateAppointments, setAppointment } from '@/api/queries';
import type { Appointment, AppointmentStatus } from '@/api/types';
import { isFuture, statusText } from '@/domain/appointment/statusText';
import { isOutdated, reportFailedAction } from '@/domain/failedAction';
import { confirm } from '@/ui/confirm';
import { toast } from '@/ui/toasts';
import { describeAppointment } from './subject';

export const UPDATE_FAILED = msg`Failed to update appointment status`;
const UNDO_MS = 10_000;

/** The specification's question on /doctor/appointments. */
export const confirmOptions = (status: 'confirmed' | 'completed' | 'cancelled'): string =>
  select(status, {
    confirmed: 'Are you sure you want to mark this appointment as confirmed?',
    completed: 'Are you sure you want to mark this appointment as completed?',
    other: 'Are you sure you want to mark this appointment as cancelled?',
  });

interface Options {
  appointment: Appointment;
  /** Confirm without a question, with an undo, and use our own wording for other questions. */
  instant?: boolean;
  /** The buttons disappear after the action, so move the focus. */
  onDone: () => void;
}

export type DoctorActions = ReturnType<typeof useAppointmentActions>;

/** Change an appointment's status, after a confirmation if one is required. */
export function useAppointmentActions({ appointment, instant, onDone }: Options) {
  const client = useQueryClient();
  const [undo, setUndo] = useState(() =>
    appointment.undoUntil ? { until: Date.parse(appointment.undoUntil), isNew: false } : null,
  );
  const subject = describeAppointment(appointment);

  const change = useMutation({
    mutationFn: (data: StatusChange) =>
      setAppointmentStatus(appointment._id, { ...data, expectedStatus: appointment.status }),
    onSuccess: ({ data }, change) => {
      if (data.changed === false) reportUnchanged(data, change, subject);
      else if (change.undoable) {
        // Timed here, because the computer's clock may differ from the server's.
        if (data.appointment.undoUntil) setUndo({ until: Date.now() + UNDO_MS, isNew: true });
      } else toast.success(successSentence(change.status, change.attended));
      void setAppointment(client, data.appointment);
    },
  });
  const reopen = useMutation({
    mutationFn: () => reopenAppointment(appointment._id),
    onSuccess: ({ data }) => {
      toast.success(t`Appointment reopened`);
      void setAppointment(client, data.appointment);
      onDone();
    },
    onError: (error) => reportFailure(error, t`We couldn’t reopen the appointment`),
  });

  function reportFailure(error: unknown, fallback: string) {
    reportFailedAction(error, { fallback, about: subject });
    if (isOutdated(error)) void invalidateAppointments(client);
  }

  const set = (data: StatusChange) =>
    change.mutate(data, {
      onSuccess: ({ data: { changed } }) => {
        // An undoable confirmation takes the focus itself.
        if (!data.undoable || changed === false) onDone();
      },
      onError: (error) => reportFailure(error, i18n._(UPDATE_FAILED)),
    });

  const askToConfirm = async () => {
    if (instant) {
      set({ status: 'confirmed', undoable: true });
      return;
    }
    const title = confirmOptions('confirmed');
    if (await confirm({ title, body: subject, action: t`Confirm` })) set({ status: 'confirmed' });
  };

  const askToComplete = async () => {
    const isSure = await confirm({
      title: instant ? t`Mark this appointment as completed?` : confirmOptions('completed'),
      body: isFuture(appointment) ? t`${subject}. It hasn’t started yet.` : subject,
      action: t`Mark as completed`,
    });
    if (isSure) set({ status: 'completed' });
  };

  const askAboutAttendance = async (attended: boolean) => {
    const isSure = await confirm({
      title: attended ? t`Undo this no-show?` : t`Mark this appointment as a no-show?`,
      body: attended
        ? t`${subject}. The appointment will count as completed again, with its fee.`
        : t`${subject}. The appointment will be closed without a fee. You can undo this.`,
      action: attended
        ? t`Undo no-show`
        : t({ message: 'No-show', context: 'mark an appointment' }),
    });
    if (isSure) set({ status: 'completed', attended });
  };

  const askToReopen = async () => {
    const patient = appointment.patient.name;
    const isSure = await confirm({
      title: t`Reopen this appointment?`,
      body: t`${subject}. It will be confirmed again until you complete it, and its fee won’t count toward your earnings until then. The record won’t change. We’ll notify ${patient}.`,
      action: t`Reopen`,
    });
    if (isSure) reopen.mutate();
  };

  return {
    /** A confirmation that can still be undone. */
    undo: undo && appointment.status === 'confirmed' && undo.until > Date.now() ? undo : null,
    endUndo: () => setUndo(null),
    /** The change that is being sent. */
    pending: change.isPending ? change.variables : null,
    isReopening: reopen.isPending,
    askToConfirm,
    askToComplete,
    askAboutAttendance,
    askToReopen,
    cancel: (reason: string) => change.mutateAsync({ status: 'cancelled', reason }),
  };
}

function successSentence(status: AppointmentStatus, attended?: boolean): string {
  if (attended !== undefined) return attended ? t`No-show undone` : t`Marked as a no-show`;
  return select(status, {
    confirmed: 'Appointment marked as confirmed successfully!',
    completed: 'Appointment marked as completed successfully!',
    other: 'Appointment marked as cancelled successfully!',
  });
}

/** Report that somebody else already made this change, and that a typed reason was not saved. */
function reportUnchanged({ appointment }: ChangedAppointment, change: StatusChange, title: string) {
  const state =
    appointment.status === 'cancelled'
      ? statusText(appointment, 'doctor')
      : select(appointment.status, {
          confirmed: 'This appointment was already confirmed.',
          other: 'This appointment was already completed.',
        });
  if (change.reason) toast.error(state, { title, typedText: change.reason });
  else toast.success(`${title}: ${state}`);
}
