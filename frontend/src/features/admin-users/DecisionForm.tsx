import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { ApprovalState, Case, StaffDoctor } from '@/api/types';
import type { DecisionAction } from '@/domain/staff/verification/case';
import { DecisionFields } from '@/domain/staff/verification/DecisionFields';
import { useDecision } from '@/domain/staff/verification/useDecision';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Inline } from '@/ui/Inline';
import { Stack } from '@/ui/Stack';

interface Props {
  doctor: StaffDoctor;
  /** The open case; without one, staff may approve after all. */
  openCase: Case | undefined;
  newest: Case | undefined;
  onDone: (message: string) => void;
}

const CLOSED_TEXTS: Record<ApprovalState, MessageDescriptor | null> = {
  pending: msg`There’s no open application.`,
  approved: null,
  rejected: msg`Rejected: patients can’t find or book this doctor. You can still approve.`,
  revoked: msg`Revoked: patients can’t find or book this doctor. You can approve again.`,
};
const ALL_ACTIONS: readonly DecisionAction[] = ['approve', 'reject'];
const APPROVE_ONLY: readonly DecisionAction[] = ['approve'];

/** The decision form: Approve, then Reject, always in this order. */
export function DecisionForm({ doctor, openCase, newest, onDone }: Props) {
  const { t } = useLingui();
  const decision = useDecision({ doctor, openCase, newest, onDone, onOutdated: () => {} });
  const { form, decide, lastAction, isComplete } = decision;
  const { state, reason } = doctor.approval;
  const closedText = CLOSED_TEXTS[state];
  return (
    <Card as="section" gap={4} aria-labelledby="decision">
      <ErrorSummary form={form} />
      <h2 id="decision">
        <Trans>Your decision</Trans>
      </h2>
      {!openCase && closedText && <p>{t(closedText)}</p>}
      {!openCase && reason && (
        <p>
          <Trans>
            Reason: <q>{reason}</q>
          </Trans>
        </p>
      )}
      {openCase && doctor.isApproved && (
        <p>
          <Trans>
            This doctor is already approved and has sent another license. Rejecting it leaves the
            approval as it is.
          </Trans>
        </p>
      )}
      <Stack as="form" gap={5} noValidate onSubmit={(event) => event.preventDefault()}>
        <DecisionFields decision={decision} actions={openCase ? ALL_ACTIONS : APPROVE_ONLY} />
        <Inline>
          <Button
            variant={isComplete ? 'primary' : 'secondary'}
            busy={form.busy && lastAction === 'approve'}
            busyLabel={t`Approving...`}
            aria-disabled={form.busy || undefined}
            onClick={() => decide('approve')}
          >
            <Trans>Approve</Trans>
          </Button>
          {openCase && (
            <Button
              variant="danger"
              busy={form.busy && lastAction === 'reject'}
              busyLabel={t`Rejecting...`}
              aria-disabled={form.busy || undefined}
              onClick={() => decide('reject')}
            >
              <Trans>Reject</Trans>
            </Button>
          )}
        </Inline>
      </Stack>
    </Card>
  );
}
