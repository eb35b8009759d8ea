import { useLocation, useNavigate } from 'react-router-dom';
import type { Appointment } from '@/api/types';
import { AddToCalendar } from '@/domain/visit/AddToCalendar';
import { deadline, isUpcoming, ownWhen } from '@/domain/visit/sentence';
import { formatDayTime, zoneLabel } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { IconButton } from '@/ui/Button';
import { CheckIcon, CloseIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import styles from './BookedPanel.module.css';

/** What follows now that the booking stands, and by when. */
function next(visit: Appointment): string {
  const doctor = doctorName(visit.doctor.name);
  if (visit.status === 'confirmed') {
    return `Your visit is confirmed. ${doctor} expects you, and you need do nothing more.`;
  }
  const by = deadline(visit, 'patient');
  return `${doctor} answers your request${by ? ` by ${by}` : ' soon'}. Until then the time is kept for you, and the answer appears on this page.`;
}

/** Right after booking, and after a reload of the same address: what happens next, what to bring. */
export function BookedPanel({ visit }: { visit: Appointment }) {
  const navigate = useNavigate();
  const unsent = useLocation().state?.unsent === true;
  if (!isUpcoming(visit)) return null;
  const { doctor, appointmentDate, appointmentTime, timeZone, consultationFee, currency } = visit;
  const own = ownWhen(visit);
  return (
    <section role="status" className={styles.panel}>
      <div className={styles.head}>
        <CheckIcon size={28} />
        <h2>Appointment booked successfully!</h2>
        <IconButton
          label="Dismiss"
          onClick={() => navigate(paths.patientAppointments(), { replace: true })}
        >
          <CloseIcon />
        </IconButton>
      </div>
      <p>
        <strong>
          {doctorName(doctor.name)}, {formatDayTime(appointmentDate, appointmentTime)}
        </strong>{' '}
        ({zoneLabel(timeZone)}
        {own && `, ${own}`})
      </p>
      {unsent && (
        <p>
          You had booked this visit already. What you wrote this time was not sent; the visit keeps
          what you wrote first.
        </p>
      )}
      <dl className={styles.parts}>
        <div>
          <dt>What happens next</dt>
          <dd>{next(visit)}</dd>
        </div>
        <div>
          <dt>What to bring</dt>
          <dd>
            An identity document, a list of the medicines you take, and earlier results if you have
            them. The fee is {formatMoney(consultationFee, currency)}, and nothing is paid on this
            site.
          </dd>
        </div>
      </dl>
      <div className="row">
        <AddToCalendar id={visit._id} />
        <Link href={paths.patientAppointment(visit._id)}>See this visit</Link>
      </div>
    </section>
  );
}
