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
import type { Wish } from './case';
import { DecisionFields } from './DecisionFields';
import { EvidenceFile, LicenseFacts } from './Evidence';
import { NextCase } from './NextCase';
import { useDecision } from './useDecision';

interface Props {
  doctor: { _id: string; name: string };
  wish: Wish;
  onClose: () => void;
}

const TITLES: Record<Wish, string> = { approve: 'Approve', reject: 'Reject' };

/** Decide on an application where it is listed, with the evidence in view. */
export function DecisionDialog({ doctor, wish, onClose }: Props) {
  const file = useQuery({ ...doctorFileQuery(doctor._id), staleTime: 0 });
  // The answer stays until the dialog is closed, so that nothing else appears under the pointer.
  const [done, setDone] = useState('');
  const client = useQueryClient();
  // The list drops the decided doctor, and this dialog with it, so it is asked for again only afterwards.
  useEffect(() => {
    if (!done) return;
    return () => void invalidateUsers(client);
  }, [done, client]);
  const title = `${TITLES[wish]} ${doctorName(doctor.name)}?`;
  if (done) {
    return (
      <Dialog
        title={done}
        onClose={onClose}
        actions={
          <>
            <Button variant="secondary" onClick={onClose}>
              Close
            </Button>
            <NextCase after={doctor._id} />
          </>
        }
      >
        <p>{doctorName(doctor.name)} has been notified.</p>
      </Dialog>
    );
  }
  if (file.data && !(file.isFetching && file.isStale)) {
    return <Asked title={title} file={file.data} wish={wish} onDone={setDone} onClose={onClose} />;
  }
  return (
    <Dialog title={title} onClose={onClose}>
      {file.isError ? (
        <ErrorState
          title="We could not load the application"
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

interface AskedProps {
  title: string;
  file: DoctorFile;
  wish: Wish;
  onDone: (message: string) => void;
  onClose: () => void;
}

function Asked({ title, file: { doctor, cases }, wish, onDone, onClose }: AskedProps) {
  const newest = cases[0];
  const open = newest?.state === 'open' ? newest : undefined;
  const decision = useDecision({
    doctor,
    shown: open,
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
            variant={wish === 'reject' ? 'danger' : isComplete ? 'primary' : 'secondary'}
            busy={form.busy}
            busyLabel={wish === 'approve' ? 'Approving...' : 'Rejecting...'}
            onClick={() => decision.decide(wish)}
          >
            {TITLES[wish]}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Go back
          </Button>
        </>
      }
    >
      <ErrorSummary form={form} />
      {open && doctor.isApproved && (
        <p>
          This doctor is already approved and has sent another license. Rejecting it leaves the
          approval as it is.
        </p>
      )}
      <LicenseFacts
        license={open ?? doctor}
        specialization={open?.specialization ?? doctor.specialization}
      />
      {newest && <EvidenceFile doctorId={doctor._id} shown={newest} />}
      {open?.message && (
        <p>
          Message: <q>{open.message}</q>
        </p>
      )}
      <Stack as="form" noValidate onSubmit={(event) => event.preventDefault()}>
        <DecisionFields decision={decision} wishes={[wish]} />
      </Stack>
    </Dialog>
  );
}
