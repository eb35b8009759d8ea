import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { ApiError, messageOf } from '@/api/errors';
import { forgetVisits } from '@/api/queries';
import { completeVisit } from '@/api/records';
import type { Appointment, RecordContent, VisitRecord } from '@/api/types';
import { followUpWhen, takenAs } from '@/domain/record/record';
import { isAhead } from '@/domain/visit/sentence';
import { formatDayTime } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { notify } from '@/ui/notices';
import type { Keeper } from './keeper';
import { currentOf } from './RecordForm';
import styles from './visit.module.css';
import { sameContent } from './writing';

interface Props {
  visit: Appointment;
  content: RecordContent;
  keeper: Keeper;
  onCompleted: (record: VisitRecord, visit: Appointment) => void;
  /** The form goes with the act, so focus needs another place. */
  onDone: () => void;
  onClose: () => void;
}

/** The question before a visit is closed: what will be written, in short. */
export function CompleteDialog({ visit, content, keeper, onCompleted, onDone, onClose }: Props) {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const { items, notes } = content.prescription;

  const send = async () => {
    const { data } = await completeVisit(visit._id, {
      attended: true,
      visit: { ...content, version: keeper.version },
    });
    const { version, writtenAt } = data.appointment.record;
    onCompleted({ ...content, version, writtenAt }, data.appointment);
    notify.success('Appointment marked as completed successfully!');
    // The closing dialog gives focus back first, to a button that is gone by now.
    flushSync(onClose);
    onDone();
  };

  const complete = async () => {
    setBusy(true);
    setProblem('');
    await keeper.hold();
    try {
      await send();
    } catch (error) {
      const current = currentOf(error);
      if (current) {
        onClose();
        keeper.recordChanged(current);
        // It was written by a try whose answer was lost: what follows it is the same.
        if (sameContent(current, content)) keeper.keepMine();
        void forgetVisits(client);
        return;
      }
      keeper.release();
      if (error instanceof ApiError && !error.isOutage) void forgetVisits(client);
      setProblem(messageOf(error, 'Failed to update appointment status'));
      setBusy(false);
    }
  };

  return (
    <Dialog
      title="Are you sure you want to mark this appointment as completed?"
      onClose={onClose}
      actions={
        <>
          <Button busy={busy} busyLabel="Completing..." onClick={complete}>
            Complete visit
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Go back
          </Button>
        </>
      }
    >
      {problem && (
        <div role="alert">
          <Banner tone="error">{problem}</Banner>
        </div>
      )}
      <p>
        {visit.patient.name}, {formatDayTime(visit.appointmentDate, visit.appointmentTime)}. The
        patient can read this afterwards.
      </p>
      {isAhead(visit) && <Banner tone="warning">The visit has not started yet.</Banner>}
      <dl className={styles.facts}>
        <div>
          <dt>Diagnosis</dt>
          <dd>{content.diagnosis || <None />}</dd>
        </div>
        <div>
          <dt>Medicines</dt>
          <dd>
            {items.length === 0
              ? notes || <None />
              : items
                  .map((item) => [item.medicine, takenAs(item)].filter(Boolean).join(': '))
                  .join('\n')}
          </dd>
        </div>
        <div>
          <dt>Follow-up</dt>
          <dd>
            {content.followUpDays === null ? (
              <None />
            ) : (
              followUpWhen(content.followUpDays, visit.appointmentDate)
            )}
          </dd>
        </div>
        <div>
          <dt>Fee</dt>
          <dd>{formatMoney(visit.consultationFee, visit.currency)}</dd>
        </div>
      </dl>
    </Dialog>
  );
}

function None() {
  return <span className="muted">Nothing added</span>;
}
