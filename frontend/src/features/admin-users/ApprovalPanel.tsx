import { msg } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { hasCode, messageOf } from '@/api/errors';
import type { StaffDoctor } from '@/api/types';
import { decideDoctor, invalidateUsers } from '@/api/users';
import { isOutdated, reportFailedAction } from '@/domain/failedAction';
import {
  decisionValues,
  licenseCorrections,
  localDate,
  validateDecision,
} from '@/domain/staff/verification/case';
import { LicenseFields } from '@/domain/staff/verification/LicenseFields';
import { RevokeDialog } from '@/domain/staff/verification/RevokeDialog';
import { formatDate } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Inline } from '@/ui/Inline';
import { Stack } from '@/ui/Stack';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';

interface Props {
  doctor: StaffDoctor;
  /** A pending application: its decision includes corrections of the license. */
  isOpen: boolean;
  onDone: (message: string) => void;
}

const FALLBACK = msg`Failed to update doctor status`;

/** The current approval, with corrections of the license and revocation. */
export function ApprovalPanel({ doctor, isOpen, onDone }: Props) {
  const { t } = useLingui();
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const form = useForm({
    values: decisionValues(doctor),
    validate: (values) => validateDecision(values, 'approve'),
    submit: async (values) => {
      try {
        await decideDoctor(doctor._id, { isApproved: true, ...licenseCorrections(values, doctor) });
        toast.success(t`License corrected`);
      } catch (error) {
        if (!isOutdated(error) || hasCode(error, 'license_taken')) throw error;
        reportFailedAction(error, { fallback: t(FALLBACK), about: doctorName(doctor.name) });
      }
      await invalidateUsers(client);
    },
    message: (error) => messageOf(error, t(FALLBACK)),
  });
  const approvedOn = doctor.approvedAt && formatDate(localDate(doctor.approvedAt));
  const hasChanges = Object.keys(licenseCorrections(form.values, doctor)).length > 0;
  return (
    <Card as="section" gap={4} aria-labelledby="standing">
      <ErrorSummary form={form} />
      <h2 id="standing">
        <Trans>Approved</Trans>
      </h2>
      {doctor.status === 'inactive' ? (
        <p>
          <Trans>
            The account is deactivated, so patients can’t find or book this doctor. Activate it
            below to list the doctor again.
          </Trans>
        </p>
      ) : (
        approvedOn && (
          <p>
            <Trans>Patients have been able to find and book this doctor since {approvedOn}.</Trans>
          </p>
        )
      )}
      <Stack as="form" noValidate onSubmit={form.onSubmit}>
        {!isOpen && <LicenseFields form={form} />}
        <Inline>
          {hasChanges && (
            <Button type="submit" busy={form.busy} busyLabel={t`Saving...`}>
              <Trans>Save license</Trans>
            </Button>
          )}
          <Button variant="danger" onClick={() => setAsking(true)}>
            <Trans>Revoke Approval</Trans>
          </Button>
        </Inline>
      </Stack>
      {asking && <RevokeDialog doctor={doctor} onDone={onDone} onClose={() => setAsking(false)} />}
    </Card>
  );
}
