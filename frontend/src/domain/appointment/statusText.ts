import { plural, t } from '@lingui/core/macro';
import type { Appointment, Proposal, Role } from '@/api/types';
import {
  daysBetween,
  formatDayTime,
  formatTime,
  inZone,
  viewerClock,
  zoneLabel,
} from '@/lib/dates';
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
  const time =
    own.date === appointmentDate ? formatTime(own.time) : formatDayTime(own.date, own.time);
  return t`${time} your time`;
}

/** Return how many days ahead the appointment is on the clinic's calendar; 0 once it has begun. */
function daysAhead(appointment: Appointment, now: number): number {
  const { date } = inZone(new Date(now), appointment.timeZone);
  return Math.max(0, daysBetween(date, appointment.appointmentDate));
}

function pendingText(appointment: Appointment, reader: Role, now: number): string {
  const forMe = reader === 'doctor';
  const doctor = doctorName(appointment.doctor.name);
  const by = deadline(appointment, reader);
  if (now >= toTimestamp(appointment.endsAt)) {
    return forMe
      ? t`You didn’t reply before the appointment was due to start.`
      : t`${doctor} didn’t reply before the appointment was due to start.`;
  }
  if (by && appointment.respondBy && now >= toTimestamp(appointment.respondBy)) {
    if (forMe) return t`Your reply was due by ${by}.`;
    return reader === 'patient'
      ? t`${doctor} didn’t reply by ${by}. You can cancel and choose another time.`
      : t`${doctor} didn’t reply by ${by}.`;
  }
  if (reader === 'patient') {
    // The patient must answer now; doctors and admins still see the deadline of the request.
    if (appointment.proposal?.proposedBy === 'doctor')
      return t`Please respond to the suggested time.`;
    if (!appointment.respondBy) return t`Waiting for ${doctor} to reply.`;
    const expiry = expiryText(doctor, appointment.respondBy, appointment.timeZone);
    return t`Not confirmed yet. ${expiry}`;
  }
  if (forMe && appointment.proposal?.proposedBy === 'doctor')
    return waitingForPatientText(appointment, appointment.proposal);
  if (forMe) return by ? t`Waiting for your reply, by ${by}` : t`Waiting for your reply`;
  return by ? t`Waiting for ${doctor} to reply, by ${by}` : t`Waiting for ${doctor} to reply.`;
}

/** Describe what the patient has not answered yet. */
function waitingForPatientText(appointment: Appointment, proposal: Proposal): string {
  const when = formatDayTime(proposal.appointmentDate, proposal.appointmentTime);
  const patient = appointment.patient.name;
  const by = responseDeadlineText(proposal, 'doctor');
  return t`Waiting for ${patient} to accept ${when}, by ${by}.`;
}

function confirmedText(appointment: Appointment, reader: Role, now: number): string {
  const doctor = doctorName(appointment.doctor.name);
  if (now >= toTimestamp(appointment.endsAt)) {
    if (reader === 'doctor') return t`This appointment has ended. Complete it, or mark a no-show.`;
    return t`This appointment’s time has passed. ${doctor} hasn’t completed it yet.`;
  }
  if (now >= toTimestamp(appointment.startsAt)) return t`In progress now.`;
  const days = daysAhead(appointment, now);
  if (reader === 'patient') {
    return appointment.cancelRequest
      ? t`You said you can’t make it. Your appointment stays booked until ${doctor} confirms the cancellation.`
      : plural(days, {
          0: 'See you today.',
          1: 'See you tomorrow.',
          other: 'See you in # days.',
        });
  }
  return plural(days, { 0: 'Today.', 1: 'Tomorrow.', other: 'In # days.' });
}

function cancelledText(appointment: Appointment, reader: Role): string {
  const { cancelledBy } = appointment;
  const doctor = doctorName(appointment.doctor.name);
  const { siteName } = getSiteSettings();
  if (isExpired(appointment)) {
    return reader === 'doctor'
      ? t`You didn’t reply in time, so this request has expired.`
      : t`Nobody replied in time, so this request has expired.`;
  }
  // There are several admins.
  if (cancelledBy === reader && reader !== 'admin') {
    return appointment.declined
      ? t`You declined this request.`
      : t`You cancelled this appointment.`;
  }
  switch (cancelledBy) {
    case 'patient':
      return t`The patient cancelled this appointment.`;
    case 'doctor':
      return appointment.declined
        ? t`${doctor} declined this request.`
        : t`${doctor} cancelled this appointment.`;
    case 'admin':
      return t`The staff of ${siteName} cancelled this appointment.`;
    case 'system':
      return t`This appointment was cancelled automatically.`;
    default:
      return t`This appointment was cancelled.`;
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
        return reader === 'patient' ? t`You missed this appointment.` : t`The patient didn’t come.`;
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
    ? t`You suggested ${when}. ${name} can reply until ${by}.`
    : t`${name} suggests ${when}. Please reply by ${by}.`;
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
