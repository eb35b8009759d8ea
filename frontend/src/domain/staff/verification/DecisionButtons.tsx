import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { doctorName } from '@/lib/names';
import { Button } from '@/ui/Button';
import { DecisionDialog } from './DecisionDialog';
import { RevokeDialog } from './RevokeDialog';

interface Props {
  doctor: { _id: string; name: string; email: string; isApproved: boolean };
  /** Whether an application is pending. */
  isOpen: boolean;
}

/** Approve and Reject, or Revoke Approval; each shows the evidence first. */
export function DecisionButtons({ doctor, isOpen }: Props) {
  const [asking, setAsking] = useState<'approve' | 'reject' | 'revoke' | null>(null);
  const close = () => setAsking(null);
  const name = doctorName(doctor.name);
  return (
    <>
      {(isOpen || !doctor.isApproved) && (
        <Button variant="secondary" onClick={() => setAsking('approve')}>
          <Trans>
            Approve<span className="visually-hidden"> {name}</span>
          </Trans>
        </Button>
      )}
      {isOpen && (
        <Button variant="secondary" onClick={() => setAsking('reject')}>
          <Trans>
            Reject<span className="visually-hidden"> {name}</span>
          </Trans>
        </Button>
      )}
      {!isOpen && doctor.isApproved && (
        <Button variant="secondary" onClick={() => setAsking('revoke')}>
          <Trans>
            Revoke Approval<span className="visually-hidden"> of {name}</span>
          </Trans>
        </Button>
      )}
      {asking === 'revoke' && <RevokeDialog doctor={doctor} onClose={close} />}
      {(asking === 'approve' || asking === 'reject') && (
        <DecisionDialog doctor={doctor} action={asking} onClose={close} />
      )}
    </>
  );
}
