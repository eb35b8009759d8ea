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
  type DecisionAction,
  decisionValues,
  findMissingEvidence,
  type License,
  toApprovalDecision,
  uncheckedLabels,
  validateDecision,
} from './case';
import { confirmUnchecked } from './confirmUnchecked';

interface Options {
  doctor: StaffDoctor;
  /** The open application; without one, staff may approve after all. */
  openCase: Case | undefined;
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
  openCase,
  newest,
  onDone,
  hasOwnRefresh = false,
  onOutdated,
}: Options) {
  const client = useQueryClient();
  const [initialLicense] = useState<License>(openCase ?? doctor);
  const hasDocument = Boolean(newest?.document);
  // The form is checked against the button that was pressed.
  const action = useRef<DecisionAction>('approve');
  const [lastAction, setLastAction] = useState<DecisionAction>('approve');
  const form = useForm({
    values: decisionValues(initialLicense),
    validate: (values) =>
      validateDecision(values, action.current, findMissingEvidence(values, hasDocument)),
    submit: async (values) => {
      const uncheckedItems = action.current === 'approve' ? uncheckedLabels(values.checklist) : [];
      if (uncheckedItems.length > 0 && !(await confirmUnchecked(doctor.name, uncheckedItems)))
        return;
      const typedReason = action.current === 'approve' ? values.approvalReason : values.reason;
      const about = doctorName(doctor.name);
      try {
        const decision = toApprovalDecision(values, initialLicense, action.current, {
          doctor,
          openCase,
        });
        const { data, message } = await decideDoctor(doctor._id, decision);
        if (data.changed) {
          onDone(message);
          if (hasOwnRefresh) return;
        } else {
          const text = 'Somebody else had already decided this.';
          if (typedReason.trim())
            toast.error(text, { title: about, typedText: typedReason.trim() });
          else toast.success(text);
          onOutdated();
        }
      } catch (error) {
        // A license that another doctor has is a matter of this form.
        if (!isOutdated(error) || hasCode(error, 'license_taken')) throw error;
        // What was typed may go with the fresh data.
        reportFailedAction(error, {
          fallback: FALLBACK,
          about,
          typedText: typedReason || values.note,
        });
        onOutdated();
      }
      await invalidateUsers(client);
    },
    message: (error) => messageOf(error, FALLBACK),
  });
  const decide = (nextAction: DecisionAction) => {
    action.current = nextAction;
    setLastAction(nextAction);
    form.onSubmit();
  };
  const missing = findMissingEvidence(form.values, hasDocument);
  const isComplete = missing.length === 0 && uncheckedLabels(form.values.checklist).length === 0;
  return { form, decide, lastAction, missing, isComplete };
}

export type DecisionState = ReturnType<typeof useDecision>;
