import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { askToCancel } from '@/api/calls';
import { placeVisit } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { ReasonDialog } from '@/domain/visit/ReasonDialog';
import { telHref } from '@/lib/contact';
import { formatDayTime } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { Button } from '@/ui/Button';
import { notify } from '@/ui/notices';
import styles from './VisitPage.module.css';

interface Props {
  visit: Appointment;
  /** Afterwards the button is gone, so focus needs another place. */
  onSent: () => void;
}

/** "I cannot come": a confirmed visit is cancelled by the doctor, who is asked to. */
export function CannotCome({ visit, onSent }: Props) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const doctor = doctorName(visit.doctor.name);
  const { phone } = visit.hospital;
  return (
    <>
      <Button variant="danger" onClick={() => setAsking(true)}>
        I cannot come
      </Button>
      {asking && (
        <ReasonDialog
          title="You cannot come?"
          about={
            <>
              {doctor} will be asked to cancel your visit on{' '}
              {formatDayTime(visit.appointmentDate, visit.appointmentTime)}. Until that is done the
              visit stands.
              {phone && (
                <>
                  {' '}
                  If it is soon, please also call the clinic:{' '}
                  <a href={telHref(phone)} className={styles.phone}>
                    {phone}
                  </a>
                </>
              )}
            </>
          }
          hint={`${doctor} reads it.`}
          optional
          action="Ask to cancel"
          busyLabel="Sending..."
          fallback="Failed to tell the doctor"
          onSubmit={async (reason) => {
            const { data } = await askToCancel(visit._id, reason);
            notify.success('The doctor has been told that you cannot come');
            setAsking(false);
            void placeVisit(client, data.appointment);
            // After the dialog has given focus back to a button that is about to go.
            setTimeout(onSent);
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
