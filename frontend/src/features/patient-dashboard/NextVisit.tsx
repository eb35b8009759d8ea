import type { Appointment } from '@/api/types';
import { patientNote } from '@/domain/visit/sentence';
import { VisitStatus } from '@/domain/visit/VisitStatus';
import { VisitWhen } from '@/domain/visit/VisitWhen';
import { addressLine } from '@/lib/contact';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { Face } from '@/ui/Face';
import styles from './PatientDashboardPage.module.css';

/** The visit that comes next, large. */
export function NextVisit({ visit }: { visit: Appointment }) {
  const { doctor, hospital } = visit;
  const note = patientNote(visit);
  return (
    <section className={styles.next} aria-labelledby="next-visit">
      <h2 id="next-visit" className={styles.label}>
        Your next visit
      </h2>
      <VisitWhen visit={visit} large />
      <div className={styles.who}>
        <Face name={doctor.name} src={doctor.profilePicture} size={56} />
        <div>
          <p className={styles.name}>{doctorName(doctor.name)}</p>
          <p>{doctor.specialization}</p>
          <p className="muted small">
            {[hospital.name, addressLine(hospital.address)].filter(Boolean).join(', ')}
          </p>
        </div>
      </div>
      <VisitStatus visit={visit} reader="patient" />
      {note && <p>{note}</p>}
      <div>
        <LinkButton href={paths.patientAppointment(visit._id)}>View visit</LinkButton>
      </div>
    </section>
  );
}
