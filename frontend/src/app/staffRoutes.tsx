import { type RouteObject, useRoutes } from 'react-router-dom';
import { NotFound } from '@/app/layout/NotFound';
import { requireRole, route } from './routeFactory';

const elsewhere: RouteObject = { path: '*', element: <NotFound /> };

/** Below `/doctor`. */
export const doctorPages: RouteObject[] = [
  route(
    'dashboard',
    requireRole('doctor'),
    () => import('@/features/doctor-dashboard/DoctorDashboardPage'),
  ),
  route(
    'appointments',
    requireRole('doctor'),
    () => import('@/features/doctor-calendar/DoctorAppointmentsPage'),
  ),
  route(
    'appointments/:id',
    requireRole('doctor'),
    () => import('@/features/doctor-appointment/AppointmentPage'),
  ),
  route('patients', requireRole('doctor'), () => import('@/features/doctor-patients/PatientsPage')),
  route(
    'patients/:id',
    requireRole('doctor'),
    () => import('@/features/doctor-patients/PatientPage'),
  ),
  route(
    'patients/:id/book',
    requireRole('doctor'),
    () => import('@/features/doctor-patients/BookForPatientPage'),
  ),
  route(
    'records',
    requireRole('doctor'),
    () => import('@/features/doctor-appointment/RecordsPage'),
  ),
  route(
    'verification',
    requireRole('doctor'),
    () => import('@/features/doctor-verification/VerificationPage'),
  ),
  route('schedule', requireRole('doctor'), () => import('@/features/schedule/SchedulePage')),
  elsewhere,
];

/** Below `/admin`. */
export const adminPages: RouteObject[] = [
  route(
    'dashboard',
    requireRole('admin'),
    () => import('@/features/admin-dashboard/AdminDashboardPage'),
  ),
  route('users', requireRole('admin'), () => import('@/features/admin-users/UsersPage')),
  route('doctors', requireRole('admin'), () => import('@/features/admin-users/DoctorsPage')),
  route('doctors/:id', requireRole('admin'), () => import('@/features/admin-users/DoctorCasePage')),
  route(
    'analytics',
    requireRole('admin'),
    () => import('@/features/admin-analytics/AnalyticsPage'),
  ),
  route('audit', requireRole('admin'), () => import('@/features/admin-audit/AuditPage')),
  route(
    'audit/readings',
    requireRole('admin'),
    () => import('@/features/admin-audit/AccessLogPage'),
  ),
  route(
    'records',
    requireRole('admin'),
    () => import('@/features/admin-appointments/AppointmentsPage'),
  ),
  elsewhere,
];

export function DoctorRoutes() {
  return useRoutes(doctorPages);
}

export function AdminRoutes() {
  return useRoutes(adminPages);
}
