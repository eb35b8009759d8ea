import { Navigate, type RouteObject, useRoutes } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { only, route } from './route';

const elsewhere: RouteObject = { path: '*', element: <Navigate replace to={paths.home} /> };

/** Below `/doctor`. */
export const doctorPages: RouteObject[] = [
  route('dashboard', only('doctor'), () => import('@/features/doctor-desk/DoctorDashboardPage')),
  route(
    'appointments',
    only('doctor'),
    () => import('@/features/doctor-desk/DoctorAppointmentsPage'),
  ),
  route('appointments/:id', only('doctor'), () => import('@/features/visit-desk/VisitPage')),
  route('patients', only('doctor'), () => import('@/features/doctor-patients/PatientsPage')),
  route('patients/:id', only('doctor'), () => import('@/features/doctor-patients/PatientPage')),
  route(
    'patients/:id/book',
    only('doctor'),
    () => import('@/features/doctor-patients/BookForPatientPage'),
  ),
  route('records', only('doctor'), () => import('@/features/visit-desk/RecordsPage')),
  route(
    'verification',
    only('doctor'),
    () => import('@/features/doctor-verification/VerificationPage'),
  ),
  route('schedule', only('doctor'), () => import('@/features/schedule/SchedulePage')),
  elsewhere,
];

/** Below `/admin`. */
export const adminPages: RouteObject[] = [
  route('dashboard', only('admin'), () => import('@/features/admin-desk/AdminDashboardPage')),
  route('users', only('admin'), () => import('@/features/admin-people/UsersPage')),
  route('doctors', only('admin'), () => import('@/features/admin-people/DoctorsPage')),
  route('doctors/:id', only('admin'), () => import('@/features/admin-people/DoctorCasePage')),
  route('analytics', only('admin'), () => import('@/features/admin-analytics/AnalyticsPage')),
  route('audit', only('admin'), () => import('@/features/admin-audit/AuditPage')),
  route('records', only('admin'), () => import('@/features/admin-records/RecordsPage')),
  elsewhere,
];

export function DoctorRoutes() {
  return useRoutes(doctorPages);
}

export function AdminRoutes() {
  return useRoutes(adminPages);
}
