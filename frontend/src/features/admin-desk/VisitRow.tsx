import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { cancelAppointment } from '@/api/calls';
import { ApiError } from '@/api/errors';
import { forgetVisits, placeVisit } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { appointmentCan } from '@/domain/appointmentCan';
import { ReasonDialog } from '@/domain/visit/ReasonDialog';
import { VisitStatus } from '@/domain/visit/VisitStatus';
import { formatDayTime, formatShortDay, zoneLabel } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Button } from '@/ui/Button';
import { Link } from '@/ui/Link';
import { notify } from '@/ui/notices';
import styles from './dashboard.module.css';

/** One appointment as an admin sees it: who, with the ways to set it right, and when; nothing clinical. */
export function VisitRow({ visit }: { visit: Appointment }) {
  const row = useRef<HTMLLIElement>(null);
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const cancel = useMutation({
    mutationFn: (reason: string) => cancelAppointment(visit._id, reason),
    onSuccess: ({ data }) => {
      notify.success('Appointment cancelled successfully');
      placeVisit(client, data.appointment);
    },
    onError: (error) => {
      if (error instanceof ApiError && !error.isOutage) forgetVisits(client);
    },
  });
  const { patient, doctor } = visit;
  const doctorsName = doctorName(doctor.name);
  return (
    <li ref={row} tabIndex={-1} className={styles.lost}>
      <div>
        <time dateTime={visit.startsAt} className={styles.when}>
          {formatShortDay(visit.appointmentDate)}, {visit.appointmentTime}
        </time>
        <div className="muted">{zoneLabel(visit.timeZone)}</div>
      </div>
      <div className={styles.parties}>
        <p>
          <Link href={paths.adminUsers({ search: patient.email })}>{patient.name}</Link> with{' '}
          <Link href={paths.adminDoctor(doctor._id)}>{doctorsName}</Link>
          <span className="muted">, {doctor.specialization}</span>
        </p>
        <VisitStatus visit={visit} reader="admin" />
      </div>
      {appointmentCan.adminCancel(visit) && (
        <Button variant="danger" onClick={() => setAsking(true)}>
          Cancel{' '}
          <span className="visually-hidden">
            the appointment of {patient.name} with {doctorsName}
          </span>
        </Button>
      )}
      {asking && (
        <ReasonDialog
          title="Are you sure you want to cancel this appointment?"
          about={`${patient.name} with ${doctorsName}, ${formatDayTime(visit.appointmentDate, visit.appointmentTime)}.`}
          hint="The patient and the doctor read it."
          action="Cancel appointment"
          busyLabel="Cancelling..."
          fallback="Failed to cancel appointment"
          onSubmit={async (reason) => {
            await cancel.mutateAsync(reason);
            // The closing dialog gives focus back first, to a button that is gone by now.
            flushSync(() => setAsking(false));
            row.current?.focus();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  );
}
