import type { AuditEvent } from '@/api/types';
import { capitalize } from '@/lib/names';

/** Labels of the audit log. Unknown events are shown by their names. */

export const EVENTS: Record<string, string> = {
  'account.registered': 'Registered',
  'account.created': 'Account created by an operator',
  'account.signed_in': 'Signed in',
  'account.sign_in_failed': 'Sign-in failed',
  'account.signed_out': 'Signed out',
  'account.session_ended': 'Session ended elsewhere',
  'account.other_sessions_ended': 'All other sessions ended',
  'account.ids_tried': 'Repeated ID probing',
  'limit.exhausted': 'Rate limit reached',
  'limit.mark_passed': 'Unusual traffic, limits tightened',
  'account.guessed': 'Password guessed at from many networks',
  'account.profile_changed': 'Profile changed',
  'account.password_changed': 'Password changed',
  'account.reset_requested': 'New password asked for',
  'account.password_reset': 'Password reset by mail',
  'account.email_confirmed': 'Email confirmed',
  'account.email_link_sent': 'Email confirmation link sent again',
  'account.email_changed': 'Email changed',
  'account.email_change_withdrawn': 'Email change withdrawn',
  'account.notices_changed': 'Choice of messages changed',
  'account.activated': 'Account activated',
  'account.deactivated': 'Account deactivated',
  'account.ended': 'Account ended',
  'person.exported': 'Personal data exported',
  'person.erased': 'Personal data erased',
  'account.second_step_asked': 'Right password, second step asked',
  'account.factor_refused': 'Second step refused for a change',
  'account.authenticator_added': 'Authenticator app added',
  'account.authenticator_removed': 'Authenticator app removed',
  'account.recovery_codes_made': 'Recovery codes made',
  'account.passkey_added': 'Passkey added',
  'account.passkey_renamed': 'Passkey renamed',
  'account.passkey_removed': 'Passkey removed',
  'account.second_step_reset': 'Second step taken away',
  'account.sessions_ended': 'Signed out everywhere by an operator',
  'calendar_feed.made': 'Calendar address made',
  'calendar_feed.revoked': 'Calendar address taken back',
  'staff.rights_changed': 'Rights of staff changed',
  'staff.group_created': 'Group of rights made',
  'staff.group_changed': 'Group of rights changed',
  'staff.group_deleted': 'Group of rights deleted',
  'staff.refused': 'Staff site refused',
  'doctor.applied': 'Verification requested',
  'doctor.review_requested': 'New approval needed',
  'doctor.approved': 'Doctor approved',
  'doctor.rejected': 'Doctor rejected',
  'doctor.revoked': 'Approval revoked',
  'doctor.pending': 'Doctor pending again',
  'doctor.license_corrected': 'License corrected',
  'doctor.license_renewed': 'License renewed',
  'doctor.renewal_rejected': 'License renewal rejected',
  'doctor.license_expired': 'License expired',
  'doctor.document_read': 'Evidence downloaded',
  'limit.calendar_crowded': 'Free times taken by unconfirmed visitors',
  'appointment.booked': 'Appointment booked',
  'appointment.confirmed': 'Appointment confirmed',
  'appointment.confirmation_undone': 'Confirmation undone',
  'appointment.completed': 'Appointment completed',
  'appointment.reopened': 'Appointment reopened',
  'appointment.cancelled': 'Appointment cancelled',
  'appointment.expired': 'Request expired',
  'appointment.moved': 'Appointment moved',
  'appointment.cancel_requested': 'Patient asked to cancel',
  'appointment.cancel_request_withdrawn': 'Patient withdrew the request to cancel',
  'appointment.attendance_corrected': 'Attendance corrected',
  'proposal.made': 'Other time proposed',
  'proposal.accepted': 'Proposed time accepted',
  'proposal.declined': 'Proposed time declined',
  'proposal.withdrawn': 'Proposal withdrawn',
  'proposal.expired': 'Proposal expired',
  'record.read': 'Record read',
  'record.written': 'Record written',
  'attachment.added': 'File added to a record',
  'attachment.removed': 'File removed from a record',
  'export.patients': 'Patient list exported',
  'export.appointments': 'Appointment list exported',
  'schedule.saved': 'Hours changed',
  'schedule.absence_added': 'Time off added',
  'schedule.absence_changed': 'Time off changed',
  'schedule.absence_removed': 'Time off removed',
  'schedule.blocked': 'Time blocked',
  'schedule.unblocked': 'Time unblocked',
  'notice.sent_again': 'Failed message tried again',
  'people.read_many': 'Data of unusually many people viewed',
  'audit.read': 'Audit log viewed',
  'audit.export': 'Audit log exported',
  'data.backed_up': 'Backup made',
  'data.restored': 'Backup restored',
  'data.keys_rotated': 'Secrets encrypted with the current key',
  'demo.seeded': 'Demo data made',
};

/** Groups of events to filter by. */
export const KINDS: Record<string, string> = {
  'account.': 'Accounts and sign-in',
  'doctor.': 'Verification of doctors',
  'appointment.': 'Appointments',
  'proposal.': 'Proposed times',
  'record.': 'Records',
  'attachment.': 'Files',
  'schedule.': 'Hours',
  'export.': 'Exports',
  'limit.': 'Rate limits',
  'people.': 'Viewed personal data',
  'audit.': 'The audit log itself',
};

export const OUTCOMES: Record<AuditEvent['outcome'], string> = {
  '0': 'Done',
  '4': 'Refused',
  '8': 'Failed',
};

export const ACTIONS: Record<AuditEvent['action'], string> = {
  C: 'Created',
  R: 'Read',
  U: 'Changed',
  D: 'Ended',
  E: 'Carried out',
};

export const ENTITIES: Record<string, string> = {
  user: 'Account',
  doctor: 'Doctor',
  appointment: 'Appointment',
  session: 'Session',
  notice: 'Message',
  passkey: 'Passkey',
  audit: 'Audit log',
  site: 'Site',
  backup: 'Backup',
};

const DETAILS: Record<string, string> = {
  from: 'Before',
  to: 'After',
  what: 'What was read',
  reason: 'Why',
  fields: 'Fields',
  visits: 'Appointments cancelled',
  case: 'Application',
  revision: 'Revision',
  attended: 'Patient came',
  notice: 'Message',
  limit: 'Limit',
  max_attempts: 'Allowed',
  proposal: 'Proposal',
  attachment: 'File',
  made_at: 'Made at',
  missing: 'Approved without',
};

/** Turn "no_shows" into "No shows". */
function humanize(name: string): string {
  return capitalize(name.replaceAll(/[._]/g, ' '));
}

/** Return the label of an event or a kind of events. */
export function eventText(event: string): string {
  return EVENTS[event] ?? KINDS[event] ?? humanize(event);
}

export function entityText(type: string): string {
  return ENTITIES[type] ?? humanize(type);
}

/** Return the details of an event as labels and values. */
export function detailEntries({ detail }: Pick<AuditEvent, 'detail'>): [string, string][] {
  return Object.entries(detail).map(([name, value]) => [
    DETAILS[name] ?? humanize(name),
    formatDetail(value),
  ]);
}

function formatDetail(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.map(formatDetail).join(', ');
  if (value !== null && typeof value === 'object') return JSON.stringify(value);
  return String(value ?? 'None');
}

/** Return a filter's options, plus the URL's value if it is none of them. */
export function optionsFor(labels: Record<string, string>, value: string | undefined) {
  const known = Object.entries(labels).map(([value, label]) => ({ value, label }));
  if (!value || labels[value]) return known;
  return [...known, { value, label: humanize(value) }];
}

/** Return the event filter's options: each kind, followed by its events. */
export function eventOptions(value: string | undefined) {
  const labels: Record<string, string> = {};
  for (const [kind, label] of Object.entries(KINDS)) {
    labels[kind] = `All: ${label}`;
    for (const [event, eventLabel] of Object.entries(EVENTS)) {
      if (event.startsWith(kind)) labels[event] = eventLabel;
    }
  }
  return optionsFor({ ...labels, ...EVENTS }, value);
}
