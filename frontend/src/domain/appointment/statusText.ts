import type { Appointment, Proposal, Role } from '@/api/types';
import { daysBetween, formatDayTime, inZone, viewerClock, zoneLabel } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { getSiteSettings } from '@/lib/siteSettings';
import { expiryText, formatInstantFor } from './expiryText';

/** Texts that explain an appointment's status to the reader. */

const toTimestamp = (instant: string) => new Date(instant).getTime();

/** Return the deadline of a pending request as text; null if unknown. */
export function deadline({ respondBy, timeZone }: Appointment, reader: Role): string | null {
  return respondBy && formatInstantFor(reader, respondBy, timeZone);
}

/**
 * Return the start in the user's own time zone ("05:00 your time"), with the day if it differs;
 * null if the zones agree.
 */
export function viewerTimeText({
  startsAt,
  timeZone,
  appointmentDate,
}: Pick<Appointment, 'startsAt' | 'timeZone' | 'appointmentDate'>): string | null {
  const own = viewerClock(startsAt, timeZone);
  if (!own) return null;
  return `${own.date === appointmentDate ? own.time : formatDayTime(own.date, own.time)} your time`;
}

/** "today", "tomorrow", "in 5 days": how far the appointment is on the clinic's calendar. */
function relativeDay(appointment: Appointment, now: number): string {
  const days = daysBetween(
    inZone(new Date(now), appointment.timeZone).date,
    appointment.appointmentDate,
  );
  if (days <= 0) return 'today';
  return days === 1 ? 'tomorrow' : `in ${days} days`;
}

function pendingText(appointment: Appointment, reader: Role, now: number): string {
  const forMe = reader === 'doctor';
  const doctor = doctorName(appointment.doctor.name);
  const by = deadline(appointment, reader);
  if (now >= toTimestamp(appointment.endsAt)) {
    return `${forMe ? 'You' : doctor} did not reply before the appointment was due to start.`;
  }
  if (appointment.respondBy && now >= toTimestamp(appointment.respondBy)) {
    if (forMe) return `Your reply was due by ${by}.`;
    const hint = reader === 'patient' ? ' You can cancel and choose another time.' : '';
    return `${doctor} did not reply by ${by}.${hint}`;
  }
  if (reader === 'patient') {
    // The patient must answer now; doctors and admins still see the deadline of the request.
    if (appointment.proposal?.proposedBy === 'doctor')
      return 'Please respond to the suggested time.';
    if (!appointment.respondBy) return `Waiting for ${doctor} to reply.`;
    return `Not confirmed yet. ${expiryText(doctor, appointment.respondBy, appointment.timeZone)}`;
  }
  if (forMe && appointment.proposal?.proposedBy === 'doctor')
    return waitingForPatientText(appointment, appointment.proposal);
  return `Waiting for ${forMe ? 'your reply' : `${doctor} to answer`}${by ? `, by ${by}` : ''}`;
}

/** Describe what the patient has not answered yet. */
function waitingForPatientText(appointment: Appointment, proposal: Proposal): string {
  const when = formatDayTime(proposal.appointmentDate, proposal.appointmentTime);
  return `Waiting for ${appointment.patient.name} to accept ${when}, by ${responseDeadlineText(proposal, 'doctor')}.`;
}

function confirmedText(appointment: Appointment, reader: Role, now: number): string {
  const doctor = doctorName(appointment.doctor.name);
  if (now >= toTimestamp(appointment.endsAt)) {
    if (reader === 'doctor') return 'This appointment has ended. Complete it, or mark a no-show.';
    return `The time of this appointment has passed. ${doctor} has not completed it yet.`;
  }
  if (now >= toTimestamp(appointment.startsAt)) return 'In progress now.';
  if (reader === 'patient') {
    return appointment.cancelRequest
      ? `You said you can’t make it. Your appointment stays booked until ${doctor} confirms the cancellation.`
      : `See you ${relativeDay(appointment, now)}.`;
  }
  const near = relativeDay(appointment, now);
  return `${near.charAt(0).toUpperCase()}${near.slice(1)}.`;
}

function cancelledText(appointment: Appointment, reader: Role): string {
  const { cancelledBy } = appointment;
  if (isExpired(appointment)) {
    const person = reader === 'doctor' ? 'You didn’t reply' : 'Nobody replied';
    return `${person} in time, so this request has expired.`;
  }
  // There are several admins.
  if (cancelledBy === reader && reader !== 'admin') {
    return appointment.declined ? 'You declined this request.' : 'You cancelled this appointment.';
  }
  switch (cancelledBy) {
    case 'patient':
      return 'The patient cancelled this appointment.';
    case 'doctor':
      return appointment.declined
        ? `${doctorName(appointment.doctor.name)} declined this request.`
        : `${doctorName(appointment.doctor.name)} cancelled this appointment.`;
    case 'admin':
      return `The staff of ${getSiteSettings().siteName} cancelled this appointment.`;
    case 'system':
      return 'This appointment was cancelled automatically.';
    default:
      return 'This appointment was cancelled.';
  }
}

/**
 * Explain an appointment's status to a patient, a doctor or an admin; empty if the badge is enough.
 */
export function statusText(appointment: Appointment, reader: Role, now = Date.now()): string {
  switch (appointment.status) {
    case 'pending':
      return pendingText(appointment, reader, now);
    case 'confirmed':
      return confirmedText(appointment, reader, now);
    case 'completed':
      if (appointment.attended === false) {
        return reader === 'patient' ? 'You missed this appointment.' : 'The patient didn’t come.';
      }
      return '';
    case 'cancelled':
      return cancelledText(appointment, reader);
  }
}

/** Return whether a request expired without an answer. */
export function isExpired(appointment: Appointment): boolean {
  return (
    appointment.status === 'cancelled' &&
    appointment.cancelledBy === 'system' &&
    appointment.cancelReason === 'expired'
  );
}

/** Describe an open proposal to the patient; empty without one. */
export function patientNote({ doctor, proposal }: Appointment): string {
  if (!proposal) return '';
  const name = doctorName(doctor.name);
  const by = responseDeadlineText(proposal, 'patient');
  const when = `${formatDayTime(proposal.appointmentDate, proposal.appointmentTime)} ${zoneLabel(proposal.timeZone)}`;
  return proposal.proposedBy === 'patient'
    ? `You suggested ${when}. ${name} can reply until ${by}.`
    : `${name} suggests ${when}. Please reply by ${by}.`;
}

/** Return the deadline of a proposal as text. */
export function responseDeadlineText(proposal: Proposal, reader: Role): string {
  return formatInstantFor(
    reader === 'patient' ? 'patient' : 'doctor',
    proposal.expiresAt,
    proposal.timeZone,
  );
}

/** Return whether an appointment has not begun. */
export function isFuture(appointment: Appointment, now = Date.now()): boolean {
  return now < toTimestamp(appointment.startsAt);
}

/** Return whether an appointment is live and not over, as the server's scope `upcoming` has it. */
export function isUpcoming(appointment: Appointment, now = Date.now()): boolean {
  return (
    (appointment.status === 'pending' || appointment.status === 'confirmed') &&
    now < toTimestamp(appointment.endsAt)
  );
}
