import { i18n } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
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
  /** The newest application, which has the document. */
  newest: Case | undefined;
  /** Called with the result, before lists are refetched. */
  onDone: (message: string) => void;
  /** The caller refetches lists once the result has been read. */
  hasOwnRefresh?: boolean;
  /** The page was outdated, which has been reported. */
  onOutdated: () => void;
}

const FALLBACK = msg`Failed to update doctor status`;

/** The form of a decision about a doctor, and its submission. */
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
  // Validation depends on the pressed button.
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
          const text = t`Someone else has already decided this.`;
          if (typedReason.trim())
            toast.error(text, { title: about, typedText: typedReason.trim() });
          else toast.success(text);
          onOutdated();
        }
      } catch (error) {
        // Another doctor has this license: an error of the form.
        if (!isOutdated(error) || hasCode(error, 'license_taken')) throw error;
        // Fresh data may remove the typed text.
        reportFailedAction(error, {
          fallback: i18n._(FALLBACK),
          about,
          typedText: typedReason || values.note,
        });
        onOutdated();
      }
      await invalidateUsers(client);
    },
    message: (error) => messageOf(error, i18n._(FALLBACK)),
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
