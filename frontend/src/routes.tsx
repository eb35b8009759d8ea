import { type ComponentType, lazy, type ReactNode } from 'react';
import { Navigate, type RouteObject, useRoutes } from 'react-router-dom';
import type { Role } from '@/api/types';
import { RequireRole, RequireSession } from '@/domain/session/guards';
import { Layout } from '@/features/layout/Layout';
import { SessionNote } from '@/features/layout/SessionNote';
import { paths } from '@/lib/paths';

type Guard = (page: ReactNode) => ReactNode;

const open: Guard = (page) => (
  <>
    <SessionNote />
    {page}
  </>
);
const anyone: Guard = (page) => <RequireSession>{page}</RequireSession>;
const only =
  (...roles: Role[]): Guard =>
  (page) => <RequireRole roles={roles}>{page}</RequireRole>;

/** One line of the map: an address, who may see it, and the page, loaded when first visited. */
function route(
  path: string,
  guard: Guard,
  page: () => Promise<{ default: ComponentType }>,
): RouteObject {
  const Page = lazy(page);
  return { path, element: guard(<Page />) };
}

/** The site map. */
const pages: RouteObject[] = [
  route('/', open, () => import('@/features/home/HomePage')),
  route('/login', open, () => import('@/features/auth/LoginPage')),
  route('/register', open, () => import('@/features/auth/RegisterPage')),
  route('/about', open, () => import('@/features/site/AboutPage')),
  route('/contact', open, () => import('@/features/site/ContactPage')),
  route('/privacy', open, () => import('@/features/site/PrivacyPage')),
  route('/patient/doctors', open, () => import('@/features/directory/FindDoctorsPage')),
  route('/doctors/:id', open, () => import('@/features/directory/DoctorPage')),
  route('/patient/book-appointment/:doctorId', open, () => import('@/features/booking/BookPage')),
  route('/profile', anyone, () => import('@/features/profile/ProfilePage')),
  route('/patient/profile', only('patient'), () => import('@/features/profile/SimpleProfilePage')),

  route(
    '/patient/dashboard',
    only('patient'),
    () => import('@/features/patient-dashboard/PatientDashboardPage'),
  ),
  route(
    '/patient/appointments',
    only('patient'),
    () => import('@/features/appointments/AppointmentsPage'),
  ),
  route(
    '/patient/appointments/:id',
    only('patient'),
    () => import('@/features/appointments/VisitPage'),
  ),
  route(
    '/patient/appointments/:id/move',
    only('patient'),
    () => import('@/features/appointments/MovePage'),
  ),
  route('/patient/records', only('patient'), () => import('@/features/records/RecordsPage')),

  route(
    '/doctor/dashboard',
    only('doctor'),
    () => import('@/features/doctor-desk/DoctorDashboardPage'),
  ),
  route(
    '/doctor/appointments',
    only('doctor'),
    () => import('@/features/doctor-desk/DoctorAppointmentsPage'),
  ),
  route(
    '/doctor/appointments/:id',
    only('doctor'),
    () => import('@/features/visit-desk/VisitPage'),
  ),
  route(
    '/doctor/patients',
    only('doctor'),
    () => import('@/features/doctor-patients/PatientsPage'),
  ),
  route(
    '/doctor/patients/:id',
    only('doctor'),
    () => import('@/features/doctor-patients/PatientPage'),
  ),
  route(
    '/doctor/patients/:id/book',
    only('doctor'),
    () => import('@/features/doctor-patients/BookForPatientPage'),
  ),
  route('/doctor/records', only('doctor'), () => import('@/features/visit-desk/RecordsPage')),
  route(
    '/doctor/verification',
    only('doctor'),
    () => import('@/features/doctor-verification/VerificationPage'),
  ),
  route('/doctor/schedule', only('doctor'), () => import('@/features/schedule/SchedulePage')),
  route(
    '/admin/dashboard',
    only('admin'),
    () => import('@/features/admin-desk/AdminDashboardPage'),
  ),
  route('/admin/users', only('admin'), () => import('@/features/admin-people/UsersPage')),
  route('/admin/doctors', only('admin'), () => import('@/features/admin-people/DoctorsPage')),
  route(
    '/admin/doctors/:id',
    only('admin'),
    () => import('@/features/admin-people/DoctorCasePage'),
  ),
  route(
    '/admin/analytics',
    only('admin'),
    () => import('@/features/admin-analytics/AnalyticsPage'),
  ),
  route('/admin/audit', only('admin'), () => import('@/features/admin-audit/AuditPage')),
  route('/admin/records', only('admin'), () => import('@/features/admin-records/RecordsPage')),
];

const map: RouteObject[] = [
  {
    element: <Layout />,
    children: [...pages, { path: '*', element: <Navigate replace to={paths.home} /> }],
  },
];

export function Routes() {
  return useRoutes(map);
}
