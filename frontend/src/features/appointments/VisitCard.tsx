import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { configQuery } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { appointmentCan } from '@/domain/appointmentCan';
import { patientNote } from '@/domain/visit/sentence';
import { VisitStatus } from '@/domain/visit/VisitStatus';
import { VisitWhen } from '@/domain/visit/VisitWhen';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Face } from '@/ui/Face';
import { Link } from '@/ui/Link';
import { CancelButton } from './CancelButton';
import styles from './VisitCard.module.css';

/** One visit in a patient's list. */
export function VisitCard({ visit }: { visit: Appointment }) {
  const { data: config } = useQuery(configQuery);
  const name = useRef<HTMLAnchorElement>(null);
  const { doctor, hospital } = visit;
  const note = patientNote(visit);
  const href = paths.patientAppointment(visit._id);
  return (
    <Card as="li" className={styles.card}>
      <div className={styles.head}>
        <Face name={doctor.name} src={doctor.profilePicture} size={64} />
        <div>
          <h2 className={styles.name}>
            <Link href={href} ref={name}>
              {doctorName(doctor.name)}
            </Link>
          </h2>
          <p>{doctor.specialization}</p>
          {hospital.name && <p className="muted small">{hospital.name}</p>}
        </div>
      </div>
      <VisitWhen visit={visit} />
      <VisitStatus visit={visit} reader="patient" />
      {note && <p className={styles.note}>{note}</p>}
      <dl className={styles.facts}>
        {visit.symptoms && (
          <div className={styles.symptoms}>
            <dt>Symptoms</dt>
            <dd>{visit.symptoms}</dd>
          </div>
        )}
        <div>
          <dt>Fee</dt>
          <dd>{formatMoney(visit.consultationFee, visit.currency)}</dd>
        </div>
      </dl>
      <div className={styles.actions} data-print="no">
        <LinkButton variant="secondary" href={href}>
          View visit
        </LinkButton>
        {appointmentCan.patientMove(visit) && (
          <LinkButton variant="secondary" href={paths.moveAppointment(visit._id)}>
            Move<span className="visually-hidden"> the visit with {doctorName(doctor.name)}</span>
          </LinkButton>
        )}
        {appointmentCan.patientCancel(visit, config?.policies) && (
          <CancelButton visit={visit} onCancelled={() => name.current?.focus()} />
        )}
      </div>
    </Card>
  );
}
