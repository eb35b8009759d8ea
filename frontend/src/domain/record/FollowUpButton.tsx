import { useLingui } from '@lingui/react/macro';
import type { Appointment } from '@/api/types';
import { addDays, today } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';

/** Link to the doctor's free times around the follow-up date. */
export function FollowUpButton({ appointment }: { appointment: Appointment }) {
  const { t } = useLingui();
  if (appointment.followUpDays === null) return null;
  const day = addDays(appointment.appointmentDate, appointment.followUpDays);
  const isPast = day < today(appointment.timeZone);
  return (
    <LinkButton
      href={paths.doctor(appointment.doctor._id, isPast ? {} : { followUp: day })}
      data-print="no"
    >
      {t`Book a follow-up`}
    </LinkButton>
  );
}
