import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import {
  decideDoctor,
  doctorFileQuery,
  invalidateUsers,
  previewApprovalRevocation,
} from '@/api/users';
import { doctorName } from '@/lib/names';
import { toast } from '@/ui/toasts';
import { EffectsDialog } from './EffectsDialog';
import { EvidenceFile, LicenseFacts } from './Evidence';

interface Props {
  doctor: { _id: string; name: string; email: string };
  onDone?: (message: string) => void;
  onClose: () => void;
}

/** Revoke an approval with a reason, after showing the evidence and the effects. */
export function RevokeDialog({ doctor, onDone, onClose }: Props) {
  const { t } = useLingui();
  const client = useQueryClient();
  const { data: file } = useQuery(doctorFileQuery(doctor._id));
  const newest = file?.cases[0];
  return (
    <EffectsDialog
      action="revoke"
      title={t`Are you sure you want to revoke this approval?`}
      person={doctor}
      preview={() => previewApprovalRevocation(doctor._id)}
      actionLabel={t`Revoke Approval`}
      busyLabel={t`Revoking...`}
      fallback={t`Failed to update doctor status`}
      reasonHint={t`The doctor will read it and can apply again.`}
      onSubmit={async (reason) => {
        const { data, message } = await decideDoctor(doctor._id, { isApproved: false, reason });
        flushSync(onClose);
        if (data.changed) {
          toast.success(message);
          onDone?.(message);
        } else {
          toast.error(t`Someone else has already revoked this approval.`, {
            title: doctorName(doctor.name),
            typedText: reason,
          });
        }
        await invalidateUsers(client);
      }}
      onOutdated={() => void invalidateUsers(client)}
      onClose={onClose}
    >
      {file && <LicenseFacts license={file.doctor} specialization={file.doctor.specialization} />}
      {newest && <EvidenceFile doctorId={doctor._id} verificationCase={newest} />}
    </EffectsDialog>
  );
}
