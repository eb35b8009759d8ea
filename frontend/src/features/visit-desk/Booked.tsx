import type { Appointment, VisitPatient } from '@/api/types';
import { AddToCalendar } from '@/domain/visit/AddToCalendar';
import { PatientAsks } from '@/domain/visit/doctor/PatientAsks';
import { VisitActs } from '@/domain/visit/doctor/VisitActs';
import { isUpcoming } from '@/domain/visit/sentence';
import { VisitStatus } from '@/domain/visit/VisitStatus';
import { VisitWhen } from '@/domain/visit/VisitWhen';
import { telHref } from '@/lib/contact';
import { formatMoney } from '@/lib/money';
import { Badge } from '@/ui/Badge';
import { Card } from '@/ui/Card';
import { ClockIcon, MailIcon, MoneyIcon, PhoneIcon } from '@/ui/icons';
import styles from './visit.module.css';

interface Props {
  visit: Appointment;
  patient: VisitPatient | null;
  /** The buttons go with the act, so focus needs another place. */
  onDone: () => void;
}

/** What was booked: when, how it stands, why, and what may be done about it. */
export function Booked({ visit, patient, onDone }: Props) {
  const { phone, email } = patient ?? visit.patient;
  const live = visit.status === 'pending' || visit.status === 'confirmed';
  return (
    <>
      <Card as="section" tight className={styles.card} aria-label="The visit">
        <VisitWhen visit={visit} />
        <VisitStatus visit={visit} reader="doctor" />
        {visit.outsideHours && live && (
          <p>
            <Badge tone="amber" icon={<ClockIcon size={18} />}>
              Outside your hours
            </Badge>
          </p>
        )}
        <PatientAsks visit={visit} heading="h3" onDone={onDone} />
        <ul className={styles.contact}>
          <li>
            <MoneyIcon size={18} />
            {formatMoney(visit.consultationFee, visit.currency)}
            {visit.attended === false && <span className="muted">not counted: did not come</span>}
          </li>
          {phone && (
            <li>
              <PhoneIcon size={18} />
              <a href={telHref(phone)}>{phone}</a>
            </li>
          )}
          {email && (
            <li>
              <MailIcon size={18} />
              <a href={`mailto:${email}`}>{email}</a>
            </li>
          )}
        </ul>
        {visit.bookedBy === 'doctor' && <p className="muted small">Booked by you.</p>}
        <VisitActs visit={visit} noComplete onDone={onDone} />
        {isUpcoming(visit) && (
          <div>
            <AddToCalendar id={visit._id} />
          </div>
        )}
      </Card>
      <Card as="section" tight className={styles.card} aria-labelledby="reason">
        <h2 id="reason">Reason</h2>
        <dl className={styles.facts}>
          <div>
            <dt>Symptoms</dt>
            <dd>{visit.symptoms || <span className="muted">Nothing added</span>}</dd>
          </div>
          <div>
            <dt>Patient’s notes</dt>
            <dd>{visit.notes.patient || <span className="muted">Nothing added</span>}</dd>
          </div>
        </dl>
      </Card>
    </>
  );
}
