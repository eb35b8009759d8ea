/** Every URL of the site. */

type Query = Record<string, string | number | undefined | null>;

/** Append a query string, leaving out empty values. */
export function withQuery(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value));
  }
  const text = params.toString();
  return text ? `${path}?${text}` : path;
}

export interface DirectoryQuery {
  search?: string;
  specialization?: string;
  city?: string;
  availableBy?: string;
  /** "true": search for the exact text. */
  literal?: string;
  ordering?: string;
  page?: number;
}

/** Filters of the doctor's appointments. */
export interface DeskQuery {
  status?: string;
  search?: string;
  view?: 'list' | 'day' | 'week';
  date?: string;
  scope?: string;
  attended?: string;
  waiting?: string;
  waitingForPatient?: string;
  page?: number;
}

export interface PatientsQuery {
  search?: string;
  gender?: string;
  ordering?: string;
  page?: number;
}

/** Filters and order of the admin's users. */
export interface UsersQuery {
  search?: string;
  role?: string;
  status?: string;
  ordering?: string;
  page?: number;
}

/** Filters of the admin's doctors; `status` is the verification status. */
export interface StaffDoctorsQuery {
  search?: string;
  status?: string;
  specialization?: string;
  ordering?: string;
  page?: number;
}

/**
 * Filters of the admin's appointments; `dates` selects the date that the range applies to: of the
 * appointment (in the clinic's zone), of booking or of cancellation (in UTC).
 */
export interface AdminAppointmentsQuery {
  search?: string;
  status?: string;
  specialization?: string;
  city?: string;
  dates?: string;
  from?: string;
  to?: string;
  attended?: string;
  page?: number;
}

/** Filters of the audit log; dates are in UTC. */
export interface AuditQuery {
  event?: string;
  agent?: string;
  entityType?: string;
  entity?: string;
  outcome?: string;
  requestId?: string;
  from?: string;
  to?: string;
  page?: number;
}

/** Filters of the access log; dates are in UTC. */
export interface AccessLogQuery {
  actor?: string;
  person?: string;
  from?: string;
  to?: string;
  page?: number;
}

/** The period and filters of the analytics. */
export interface AnalyticsQuery {
  from?: string;
  to?: string;
  by?: string;
  specialization?: string;
  city?: string;
}

export const paths = {
  home: '/',
  login: (query: { next?: string; reset?: 1 } = {}) => withQuery('/login', query),
  register: (query: { role?: 'patient' | 'doctor'; next?: string } = {}) =>
    withQuery('/register', query),
  forgotPassword: '/forgot-password',
  about: '/about',
  contact: '/contact',
  privacy: '/privacy',
  imprint: '/imprint',
  terms: '/terms',
  profile: '/profile',
  editProfile: '/profile?edit=1',
  /** A doctor's page; `date` is the selected day, `followUp` the day around which to come back. */
  publicProfile: '/profile?view=public',
  notices: (query: { unread?: 1; page?: number } = {}) => withQuery('/notices', query),
  noticeSettings: '/profile/notices',

  findDoctors: (query: DirectoryQuery = {}) => withQuery('/patient/doctors', { ...query }),
  /** A doctor's page; `date` is the selected day, `followUp` the day around which to come back. */
  doctor: (id: string, query: { date?: string; followUp?: string } = {}) =>
    withQuery(`/doctors/${encodeURIComponent(id)}`, query),
  /** The booking form; `date` and `time` are the selected slot. */
  book: (doctorId: string, choice: { date?: string; time?: string } = {}) =>
    withQuery(`/patient/book-appointment/${encodeURIComponent(doctorId)}`, choice),

  patientDashboard: '/patient/dashboard',
  patientAppointments: (
    query: { booked?: string; scope?: string; status?: string; page?: number } = {},
  ) => withQuery('/patient/appointments', query),
  patientAppointment: (id: string) => `/patient/appointments/${encodeURIComponent(id)}`,
  /** Choose another time for an appointment; `date` and `time` are the selected slot. */
  moveAppointment: (id: string, choice: { date?: string; time?: string } = {}) =>
    withQuery(`/patient/appointments/${encodeURIComponent(id)}/move`, choice),
  patientRecords: '/patient/records',
  patientRecordsPage: (page: number) => withQuery('/patient/records', { page }),

  doctorDashboard: '/doctor/dashboard',
  /** The list is the default view. */
  doctorAppointments: ({ view, ...query }: DeskQuery = {}) =>
    withQuery('/doctor/appointments', { view: view === 'list' ? undefined : view, ...query }),
  /** One appointment for its doctor; `edit` opens an existing record in the form. */
  doctorAppointment: (id: string, query: { edit?: 1 } = {}) =>
    withQuery(`/doctor/appointments/${encodeURIComponent(id)}`, query),
  doctorPatients: (query: PatientsQuery = {}) => withQuery('/doctor/patients', { ...query }),
  /** What happened with one patient. */
  doctorPatient: (id: string, query: { page?: number } = {}) =>
    withQuery(`/doctor/patients/${encodeURIComponent(id)}`, query),
  /** Book an appointment for one's own patient; `date` and `time` are the choice made before arriving,
   *  `from` the appointment it follows. */
  doctorBook: (id: string, choice: { date?: string; time?: string; from?: string } = {}) =>
    withQuery(`/doctor/patients/${encodeURIComponent(id)}/book`, choice),
  doctorRecords: (query: { search?: string; page?: number } = {}) =>
    withQuery('/doctor/records', query),
  doctorSchedule: '/doctor/schedule',
  /** The doctor's own verification status and application form. */
  doctorVerification: '/doctor/verification',

  adminDashboard: '/admin/dashboard',
  adminUsers: (query: UsersQuery = {}) => withQuery('/admin/users', { ...query }),
  adminDoctors: (query: StaffDoctorsQuery = {}) => withQuery('/admin/doctors', { ...query }),
  /** The verification case of one doctor. */
  adminDoctor: (id: string) => `/admin/doctors/${encodeURIComponent(id)}`,
  adminRecords: (query: AdminAppointmentsQuery = {}) => withQuery('/admin/records', { ...query }),
  adminAnalytics: (query: AnalyticsQuery = {}) => withQuery('/admin/analytics', { ...query }),
  adminReadings: (query: AccessLogQuery = {}) => withQuery('/admin/audit/readings', { ...query }),
  adminAudit: (query: AuditQuery = {}) => withQuery('/admin/audit', { ...query }),

  /** The page of undelivered messages in the Django admin. */
  staffNotices: '/staff/accounts/notice/',
} as const;

const DASHBOARDS: Record<string, string> = {
  patient: paths.patientDashboard,
  doctor: paths.doctorDashboard,
  admin: paths.adminDashboard,
};

/** Return the page to show after signing in. */
export function dashboardOf(role: string | undefined): string {
  return (role && DASHBOARDS[role]) || paths.home;
}

/** Return `next` if it is a path of this site, to prevent open redirects. */
export function safeNext(next: string | null | undefined): string | null {
  if (!next?.startsWith('/')) return null;
  try {
    const origin = window.location.origin;
    const url = new URL(next, origin);
    // `//evil.example` and `/\evil.example` resolve to another origin.
    if (url.origin !== origin || url.pathname.startsWith('//')) return null;
    if (url.pathname === '/login' || url.pathname === '/register') return null;
    return url.pathname + url.search + url.hash;
  } catch {
    return null;
  }
}
