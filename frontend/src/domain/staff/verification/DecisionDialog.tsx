import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { DoctorFile } from '@/api/types';
import { doctorFileQuery, invalidateUsers } from '@/api/users';
import { doctorName } from '@/lib/names';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorState } from '@/ui/ErrorState';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import type { DecisionAction } from './case';
import { DecisionFields } from './DecisionFields';
import { EvidenceFile, LicenseFacts } from './Evidence';
import { NextCase } from './NextCase';
import { useDecision } from './useDecision';

interface Props {
  doctor: { _id: string; name: string };
  action: DecisionAction;
  onClose: () => void;
}

/** Decide on an application within a list, with its evidence. */
export function DecisionDialog({ doctor, action, onClose }: Props) {
  const { t } = useLingui();
  const file = useQuery({ ...doctorFileQuery(doctor._id), staleTime: 0 });
  // Show the result until the dialog is closed, so that nothing else appears under the pointer.
  const [result, setResult] = useState('');
  const client = useQueryClient();
  // Refetch only now: the fresh list lacks the decided doctor, which would close this dialog.
  useEffect(() => {
    if (!result) return;
    return () => void invalidateUsers(client);
  }, [result, client]);
  const name = doctorName(doctor.name);
  const title = action === 'approve' ? t`Approve ${name}?` : t`Reject ${name}?`;
  if (result) {
    return (
      <Dialog
        title={result}
        onClose={onClose}
        actions={
          <>
            <Button variant="secondary" onClick={onClose}>
              <Trans>Close</Trans>
            </Button>
            <NextCase after={doctor._id} />
          </>
        }
      >
        <p>
          <Trans>We’ve notified {name}.</Trans>
        </p>
      </Dialog>
    );
  }
  if (file.data && !(file.isFetching && file.isStale)) {
    return (
      <DecisionFormDialog
        title={title}
        file={file.data}
        action={action}
        onDone={setResult}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {file.isError ? (
        <ErrorState
          title={t`We couldn’t load the application`}
          onRetry={() => file.refetch()}
          busy={file.isFetching}
        />
      ) : (
        <Skeletons count={4}>
          <Skeleton height={32} />
        </Skeletons>
      )}
    </Dialog>
  );
}

interface DecisionFormDialogProps {
  title: string;
  file: DoctorFile;
  action: DecisionAction;
  onDone: (message: string) => void;
  onClose: () => void;
}

function DecisionFormDialog({
  title,
  file: { doctor, cases },
  action,
  onDone,
  onClose,
}: DecisionFormDialogProps) {
  const { t } = useLingui();
  const newest = cases[0];
  const openCase = newest?.state === 'open' ? newest : undefined;
  const decision = useDecision({
    doctor,
    openCase,
    newest,
    onDone,
    hasOwnRefresh: true,
    onOutdated: onClose,
  });
  const { form, isComplete } = decision;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button
            variant={action === 'reject' ? 'danger' : isComplete ? 'primary' : 'secondary'}
            busy={form.busy}
            busyLabel={action === 'approve' ? t`Approving...` : t`Rejecting...`}
            onClick={() => decision.decide(action)}
          >
            {action === 'approve' ? <Trans>Approve</Trans> : <Trans>Reject</Trans>}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Go back</Trans>
          </Button>
        </>
      }
    >
      <ErrorSummary form={form} />
      {openCase && doctor.isApproved && (
        <p>
          <Trans>
            This doctor is already approved and has sent another license. Rejecting it leaves the
            approval as it is.
          </Trans>
        </p>
      )}
      <LicenseFacts
        license={openCase ?? doctor}
        specialization={openCase?.specialization ?? doctor.specialization}
      />
      {newest && <EvidenceFile doctorId={doctor._id} verificationCase={newest} />}
      {openCase?.message && (
        <p>
          <Trans>
            Message: <q>{openCase.message}</q>
          </Trans>
        </p>
      )}
      <Stack as="form" noValidate onSubmit={(event) => event.preventDefault()}>
        <DecisionFields decision={decision} actions={[action]} />
      </Stack>
    </Dialog>
  );
}
