import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { AuditEvent } from '@/api/types';
import { formatFacts } from '@/lib/formatList';
import { capitalize } from '@/lib/names';
import { ROLE_LABELS } from '@/lib/roles';

/** Labels of the audit log. Unknown events are shown by their names. */

export const EVENTS: Record<string, MessageDescriptor> = {
  'account.registered': msg`Registered`,
  'account.created': msg`Account created by an operator`,
  'account.signed_in': msg`Signed in`,
  'account.sign_in_failed': msg`Sign-in failed`,
  'account.signed_out': msg`Signed out`,
  'account.session_ended': msg`Session ended from another device`,
  'account.other_sessions_ended': msg`All other sessions ended`,
  'account.ids_tried': msg`Repeated ID probing`,
  'limit.exhausted': msg`Rate limit reached`,
  'limit.mark_passed': msg`Unusual traffic, limits tightened`,
  'account.guessed': msg`Password guessing from many networks`,
  'account.profile_changed': msg`Profile changed`,
  'account.password_changed': msg`Password changed`,
  'account.reset_requested': msg`Password reset requested`,
  'account.password_reset': msg`Password reset by email`,
  'account.email_confirmed': msg`Email confirmed`,
  'account.email_link_sent': msg`Email confirmation link sent again`,
  'account.email_changed': msg`Email changed`,
  'account.email_change_withdrawn': msg`Email change withdrawn`,
  'account.notices_changed': msg`Notification settings changed`,
  'account.activated': msg`Account activated`,
  'account.deactivated': msg`Account deactivated`,
  'account.ended': msg`Account deleted`,
  'person.exported': msg`Personal data exported`,
  'person.erased': msg`Personal data erased`,
  'account.second_step_asked': msg`Password correct, second step requested`,
  'account.factor_refused': msg`Second step refused for a change`,
  'account.authenticator_added': msg`Authenticator app added`,
  'account.authenticator_removed': msg`Authenticator app removed`,
  'account.recovery_codes_made': msg`Recovery codes created`,
  'account.passkey_added': msg`Passkey added`,
  'account.passkey_renamed': msg`Passkey renamed`,
  'account.passkey_removed': msg`Passkey removed`,
  'account.second_step_reset': msg`Two-step sign-in reset`,
  'account.sessions_ended': msg`Signed out everywhere by an operator`,
  'calendar_feed.made': msg`Calendar link created`,
  'calendar_feed.revoked': msg`Calendar link turned off`,
  'staff.rights_changed': msg`Staff permissions changed`,
  'staff.group_created': msg`Permission group created`,
  'staff.group_changed': msg`Permission group changed`,
  'staff.group_deleted': msg`Permission group deleted`,
  'staff.refused': msg`Staff site access refused`,
  'doctor.applied': msg`Verification requested`,
  'doctor.review_requested': msg`New approval needed`,
  'doctor.approved': msg`Doctor approved`,
  'doctor.rejected': msg`Doctor rejected`,
  'doctor.revoked': msg`Approval revoked`,
  'doctor.pending': msg`Doctor pending again`,
  'doctor.license_corrected': msg`License corrected`,
  'doctor.license_renewed': msg`License renewed`,
  'doctor.renewal_rejected': msg`License renewal rejected`,
  'doctor.license_expired': msg`License expired`,
  'doctor.document_read': msg`Evidence downloaded`,
  'limit.calendar_crowded': msg`Free times held by unconfirmed visitors`,
  'appointment.booked': msg`Appointment booked`,
  'appointment.confirmed': msg`Appointment confirmed`,
  'appointment.confirmation_undone': msg`Confirmation undone`,
  'appointment.completed': msg`Appointment completed`,
  'appointment.reopened': msg`Appointment reopened`,
  'appointment.cancelled': msg`Appointment cancelled`,
  'appointment.expired': msg`Request expired`,
  'appointment.moved': msg`Appointment rescheduled`,
  'appointment.cancel_requested': msg`Patient asked to cancel`,
  'appointment.cancel_request_withdrawn': msg`Patient withdrew the request to cancel`,
  'appointment.attendance_corrected': msg`Attendance corrected`,
  'proposal.made': msg`New time suggested`,
  'proposal.accepted': msg`Suggested time accepted`,
  'proposal.declined': msg`Suggested time declined`,
  'proposal.withdrawn': msg`Suggested time withdrawn`,
  'proposal.expired': msg`Suggested time expired`,
  'record.read': msg`Record read`,
  'record.written': msg`Record written`,
  'attachment.added': msg`File added to a record`,
  'attachment.removed': msg`File removed from a record`,
  'export.patients': msg`Patient list exported`,
  'export.appointments': msg`Appointment list exported`,
  'schedule.saved': msg`Hours changed`,
  'schedule.absence_added': msg`Time off added`,
  'schedule.absence_changed': msg`Time off changed`,
  'schedule.absence_removed': msg`Time off removed`,
  'schedule.blocked': msg`Time blocked`,
  'schedule.unblocked': msg`Time unblocked`,
  'notice.sent_again': msg`Failed message sent again`,
  'people.read_many': msg`Data of unusually many people viewed`,
  'audit.read': msg`Audit log viewed`,
  'audit.export': msg`Audit log exported`,
  'data.backed_up': msg`Backup created`,
  'data.restored': msg`Backup restored`,
  'data.keys_rotated': msg`Secrets encrypted with the current key`,
  'demo.seeded': msg`Demo data created`,
};

/** Groups of events to filter by. */
export const KINDS: Record<string, MessageDescriptor> = {
  'account.': msg`Accounts and sign-in`,
  'doctor.': msg`Verification of doctors`,
  'appointment.': msg`Appointments`,
  'proposal.': msg`Suggested times`,
  'record.': msg`Records`,
  'attachment.': msg`Files`,
  'schedule.': msg`Hours`,
  'export.': msg`Exports`,
  'limit.': msg`Rate limits`,
  'people.': msg`Viewed personal data`,
  'audit.': msg`The audit log itself`,
};

export const OUTCOMES: Record<AuditEvent['outcome'], MessageDescriptor> = {
  '0': msg`Done`,
  '4': msg`Refused`,
  '8': msg`Failed`,
};

export const ACTIONS: Record<AuditEvent['action'], MessageDescriptor> = {
  C: msg`Created`,
  R: msg`Read`,
  U: msg`Changed`,
  D: msg`Ended`,
  E: msg`Carried out`,
};

export const ENTITIES: Record<string, MessageDescriptor> = {
  user: msg`Account`,
  doctor: msg`Doctor`,
  appointment: msg`Appointment`,
  session: msg`Session`,
  notice: msg`Message`,
  passkey: msg`Passkey`,
  audit: msg`Audit log`,
  site: msg`Site`,
  backup: msg`Backup`,
};

const DETAILS: Record<string, MessageDescriptor> = {
  from: msg`Before`,
  to: msg`After`,
  what: msg`What was viewed`,
  reason: msg`Reason`,
  fields: msg`Fields`,
  visits: msg`Appointments cancelled`,
  case: msg`Application`,
  revision: msg`Revision`,
  attended: msg`Patient came`,
  notice: msg`Message`,
  limit: msg`Limit`,
  max_attempts: msg`Allowed`,
  proposal: msg`Suggested time`,
  attachment: msg`File`,
  made_at: msg`Created at`,
  missing: msg`Approved without`,
};

/** Turn "no_shows" into "No shows". */
function humanize(name: string): string {
  return capitalize(name.replaceAll(/[._]/g, ' '));
}

function labelOf(label: MessageDescriptor | undefined, name: string): string {
  return label ? i18n._(label) : humanize(name);
}

/** Return the label of an event or a kind of events. */
export function eventText(event: string): string {
  return labelOf(EVENTS[event] ?? KINDS[event], event);
}

export function entityText(type: string): string {
  return labelOf(ENTITIES[type], type);
}

/** Return the role of an actor; the log may have roles that no account has. */
export function roleText(role: string): string {
  return labelOf((ROLE_LABELS as Record<string, MessageDescriptor>)[role], role);
}

/** Return the details of an event as labels and values. */
export function detailEntries({ detail }: Pick<AuditEvent, 'detail'>): [string, string][] {
  return Object.entries(detail).map(([name, value]) => [
    labelOf(DETAILS[name], name),
    formatDetail(value),
  ]);
}

function formatDetail(value: unknown): string {
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`;
  if (Array.isArray(value)) return formatFacts(value.map(formatDetail));
  if (value !== null && typeof value === 'object') return JSON.stringify(value);
  return value === null || value === undefined ? t`None` : String(value);
}

interface Option {
  value: string;
  label: string;
}

const toOptions = (labels: Record<string, MessageDescriptor>): Option[] =>
  Object.entries(labels).map(([value, label]) => ({ value, label: i18n._(label) }));

/** Return the options, plus the URL's value if it is none of them. */
function withCurrent(options: Option[], value: string | undefined): Option[] {
  if (!value || options.some((option) => option.value === value)) return options;
  return [...options, { value, label: humanize(value) }];
}

/** Return a filter's options, plus the URL's value if it is none of them. */
export function optionsFor(labels: Record<string, MessageDescriptor>, value: string | undefined) {
  return withCurrent(toOptions(labels), value);
}

/** Return the event filter's options: each kind, followed by its events, then the others. */
export function eventOptions(value: string | undefined) {
  const events = toOptions(EVENTS);
  const kinds = toOptions(KINDS);
  const grouped = kinds.flatMap(({ value: prefix, label: kind }) => [
    { value: prefix, label: t`All: ${kind}` },
    ...events.filter((event) => event.value.startsWith(prefix)),
  ]);
  const others = events.filter((event) => !grouped.includes(event));
  return withCurrent([...grouped, ...others], value);
}
