import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { hasCode, messageOf } from '@/api/errors';
import type { Case, StaffDoctor } from '@/api/types';
import { decideDoctor, invalidateUsers } from '@/api/users';
import { isOutdated, reportFailedAction } from '@/domain/failedAction';
import { doctorName } from '@/lib/names';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';
import {
  decisionValues,
  findMissing,
  type License,
  unchecked,
  verdictOf,
  type Wish,
  wrong,
} from './case';
import { confirmUnchecked } from './confirmUnchecked';

interface Options {
  doctor: StaffDoctor;
  /** The open application; without one, staff may approve after all. */
  shown: Case | undefined;
  /** The newest application, which holds the document. */
  newest: Case | undefined;
  /** Called with what was done, before the lists are asked for again. */
  onDone: (message: string) => void;
  /** The caller asks for the lists again, once the result has been read. */
  hasOwnRefresh?: boolean;
  /** The page was out of date and has already said so. */
  onOutdated: () => void;
}

const FALLBACK = 'Failed to update doctor status';

/** The form of a decision on a doctor, and the act itself. */
export function useDecision({
  doctor,
  shown,
  newest,
  onDone,
  hasOwnRefresh = false,
  onOutdated,
}: Options) {
  const client = useQueryClient();
  const [prefilled] = useState<License>(shown ?? doctor);
  const hasDocument = Boolean(newest?.document);
  // The form is checked against the button that was pressed.
  const wish = useRef<Wish>('approve');
  const [pressed, setPressed] = useState<Wish>('approve');
  const form = useForm({
    values: decisionValues(prefilled),
    validate: (values) => wrong(values, wish.current, findMissing(values, hasDocument)),
    submit: async (values) => {
      const left = wish.current === 'approve' ? unchecked(values.checklist) : [];
      if (left.length > 0 && !(await confirmUnchecked(doctor.name, left))) return;
      const typed = wish.current === 'approve' ? values.approvalReason : values.reason;
      const about = doctorName(doctor.name);
      try {
        const verdict = verdictOf(values, prefilled, wish.current, { doctor, shown });
        const { data, message } = await decideDoctor(doctor._id, verdict);
        if (data.changed) {
          onDone(message);
          if (hasOwnRefresh) return;
        } else {
          const text = 'Somebody else had already decided this.';
          if (typed.trim()) toast.error(text, { title: about, typed: typed.trim() });
          else toast.success(text);
          onOutdated();
        }
      } catch (error) {
        // A license that another doctor has is a matter of this form.
        if (!isOutdated(error) || hasCode(error, 'license_taken')) throw error;
        // What was typed may go with the fresh data.
        reportFailedAction(error, { fallback: FALLBACK, about, typed: typed || values.note });
        onOutdated();
      }
      await invalidateUsers(client);
    },
    message: (error) => messageOf(error, FALLBACK),
  });
  const decide = (wanted: Wish) => {
    wish.current = wanted;
    setPressed(wanted);
    form.onSubmit();
  };
  const missing = findMissing(form.values, hasDocument);
  const isComplete = missing.length === 0 && unchecked(form.values.checklist).length === 0;
  return { form, decide, pressed, missing, isComplete };
}

export type DecisionState = ReturnType<typeof useDecision>;
