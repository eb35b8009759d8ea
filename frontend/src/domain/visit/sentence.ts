import type { Appointment, Proposal, Role } from '@/api/types';
import { daysBetween, formatDayTime, inZone, ownTime, zoneLabel } from '@/lib/dates';
import { doctorName } from '@/lib/names';

/** What the badge's word means for the one who reads it, in a sentence. */

const at = (instant: string) => new Date(instant).getTime();

/**
 * By when a waiting request is to be answered, as words. A patient reads it on their own clock
 * (and is told so when it is not the clinic's), the desks on the clinic's; to staff, who see clinics
 * everywhere, it is named.
 */
export function deadline(visit: Appointment, reader: Role): string | null {
  const { respondBy, timeZone } = visit;
  if (!respondBy) return null;
  const own = reader === 'patient' ? ownTime(respondBy, timeZone) : null;
  const { date, time } = own ?? inZone(respondBy, timeZone);
  const clock = own ? ' your time' : reader === 'admin' ? ` ${zoneLabel(timeZone)}` : '';
  return formatDayTime(date, time) + clock;
}

/** When a visit begins on one's own clock, "05:00 your time", with the day where that differs too; null on the clinic's. */
export function ownWhen({
  startsAt,
  timeZone,
  appointmentDate,
}: Pick<Appointment, 'startsAt' | 'timeZone' | 'appointmentDate'>): string | null {
  const own = ownTime(startsAt, timeZone);
  if (!own) return null;
  return `${own.date === appointmentDate ? own.time : formatDayTime(own.date, own.time)} your time`;
}

/** "today", "tomorrow", "in 5 days": how far the visit is on the clinic's calendar. */
function nearness(visit: Appointment, now: number): string {
  const days = daysBetween(inZone(new Date(now), visit.timeZone).date, visit.appointmentDate);
  if (days <= 0) return 'today';
  return days === 1 ? 'tomorrow' : `in ${days} days`;
}

function pending(visit: Appointment, reader: Role, now: number): string {
  const forMe = reader === 'doctor';
  const doctor = doctorName(visit.doctor.name);
  const by = deadline(visit, reader);
  if (now >= at(visit.endsAt)) {
    return `${forMe ? 'You' : doctor} did not answer before the time of this visit.`;
  }
  if (visit.respondBy && now >= at(visit.respondBy)) {
    if (forMe) return `Your answer was due by ${by}.`;
    const hint = reader === 'patient' ? ' You can cancel and choose another time.' : '';
    return `${doctor} has not answered by ${by}.${hint}`;
  }
  // The patient is the one to act now; the desks still see by when the request itself is answered.
  if (reader === 'patient' && visit.proposal?.proposedBy === 'doctor') {
    return 'Waiting for your answer to the other time.';
  }
  return `Waiting for ${forMe ? 'your answer' : `${doctor} to answer`}${by ? `, by ${by}` : ''}`;
}

function confirmed(visit: Appointment, reader: Role, now: number): string {
  const doctor = doctorName(visit.doctor.name);
  if (now >= at(visit.endsAt)) {
    if (reader === 'doctor') return 'This visit is over. Mark it as completed.';
    return `The time of this visit has passed. ${doctor} has not closed it yet.`;
  }
  if (now >= at(visit.startsAt)) return 'Under way now.';
  if (reader === 'patient') return `${doctor} expects you ${nearness(visit, now)}.`;
  return `Takes place ${nearness(visit, now)}.`;
}

function cancelled(visit: Appointment, reader: Role): string {
  const { cancelledBy } = visit;
  if (isExpired(visit)) {
    return `${reader === 'doctor' ? 'You did not answer' : 'Nobody answered'} in time, so this request has ended.`;
  }
  // Of the admins there are several.
  if (cancelledBy === reader && reader !== 'admin') return 'You cancelled this appointment.';
  switch (cancelledBy) {
    case 'patient':
      return 'The patient cancelled this appointment.';
    case 'doctor':
      return `${doctorName(visit.doctor.name)} cancelled this appointment.`;
    case 'admin':
      return 'Wellhour’s staff cancelled this appointment.';
    case 'system':
      return 'This appointment was cancelled automatically.';
    default:
      return 'This appointment was cancelled.';
  }
}

/** Say how a visit stands, to a patient, a doctor or an admin; nothing where the badge says it all. */
export function visitSentence(visit: Appointment, reader: Role, now = Date.now()): string {
  switch (visit.status) {
    case 'pending':
      return pending(visit, reader, now);
    case 'confirmed':
      return confirmed(visit, reader, now);
    case 'completed':
      if (visit.attended === false) {
        return reader === 'patient' ? 'You did not come.' : 'The patient did not come.';
      }
      return reader === 'patient' ? 'This visit is complete.' : '';
    case 'cancelled':
      return cancelled(visit, reader);
  }
}

/** Tell whether a request ended because nobody answered it in time. */
export function isExpired(visit: Appointment): boolean {
  return (
    visit.status === 'cancelled' &&
    visit.cancelledBy === 'system' &&
    visit.cancelReason === 'expired'
  );
}

/**
 * What waits between patient and doctor beside the status, in a sentence for the patient; nothing
 * where nothing waits.
 */
export function patientNote(visit: Appointment): string {
  const doctor = doctorName(visit.doctor.name);
  const { proposal, cancelRequest } = visit;
  if (cancelRequest)
    return `You said that you cannot come. ${doctor} is asked to cancel the visit.`;
  if (!proposal) return '';
  const by = answerBy(proposal, 'patient');
  const when = `${formatDayTime(proposal.appointmentDate, proposal.appointmentTime)} ${zoneLabel(proposal.timeZone)}`;
  return proposal.proposedBy === 'patient'
    ? `You proposed ${when}. ${doctor} answers by ${by}.`
    : `${doctor} proposes ${when}. Please answer by ${by}.`;
}

/** By when a proposal is to be answered, on the patient's own clock, for the doctor on the clinic's. */
export function answerBy(proposal: Proposal, reader: Role): string {
  const own = reader === 'patient' ? ownTime(proposal.expiresAt, proposal.timeZone) : null;
  const { date, time } = own ?? inZone(proposal.expiresAt, proposal.timeZone);
  return formatDayTime(date, time) + (own ? ' your time' : '');
}

/** Tell whether a visit is yet to begin. */
export function isAhead(visit: Appointment, now = Date.now()): boolean {
  return now < at(visit.startsAt);
}

/** Tell whether a visit is live and not over, as the server's scope `upcoming` has it. */
export function isUpcoming(visit: Appointment, now = Date.now()): boolean {
  return (visit.status === 'pending' || visit.status === 'confirmed') && now < at(visit.endsAt);
}
