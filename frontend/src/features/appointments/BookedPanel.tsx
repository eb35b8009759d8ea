import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { appointmentQuery } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { deadline, isUpcoming } from '@/domain/visit/sentence';
import { formatDayTime, zoneLabel } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { Link } from '@/ui/Link';

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
export function BookedPanel({ id }: { id: string }) {
  const { data: visit } = useQuery(appointmentQuery(id));
  const navigate = useNavigate();
  if (!visit || !isUpcoming(visit)) return null;
  return (
    <div role="status">
      <Banner
        tone="success"
        title="Appointment booked successfully!"
        onDismiss={() => navigate(paths.patientAppointments(), { replace: true })}
      >
        <div className="stack" data-gap="2">
          <p>
            {doctorName(visit.doctor.name)},{' '}
            {formatDayTime(visit.appointmentDate, visit.appointmentTime)} (
            {zoneLabel(visit.timeZone)}).
          </p>
          <p>{next(visit)}</p>
          <p>
            Please bring an identity document, a list of the medicines you take, and earlier results
            if you have them.
          </p>
          <p>
            The fee is {formatMoney(visit.consultationFee, visit.currency)}. Nothing is paid on this
            site.
          </p>
          <p>
            <Link href={paths.patientAppointment(visit._id)}>See this visit</Link>
          </p>
        </div>
      </Banner>
    </div>
  );
}
