import { type RouteObject, useRoutes } from 'react-router-dom';
import { NotFound } from '@/app/layout/NotFound';
import { type LoadPage, requireRole, route } from './routeFactory';

export const DOCTOR_BASE = '/doctor/';
export const ADMIN_BASE = '/admin/';

const doctorRoute = (path: string, page: LoadPage) =>
  route(path, requireRole('doctor'), page, DOCTOR_BASE);
const adminRoute = (path: string, page: LoadPage) =>
  route(path, requireRole('admin'), page, ADMIN_BASE);

const elsewhere: RouteObject = { path: '*', element: <NotFound /> };

/** Below `/doctor`. */
export const doctorPages: RouteObject[] = [
  doctorRoute('dashboard', () => import('@/features/doctor-dashboard/DoctorDashboardPage')),
  doctorRoute('appointments', () => import('@/features/doctor-calendar/DoctorAppointmentsPage')),
  doctorRoute('appointments/:id', () => import('@/features/doctor-appointment/AppointmentPage')),
  doctorRoute('patients', () => import('@/features/doctor-patients/PatientsPage')),
  doctorRoute('patients/:id', () => import('@/features/doctor-patients/PatientPage')),
  doctorRoute('patients/:id/book', () => import('@/features/doctor-patients/BookForPatientPage')),
  doctorRoute('records', () => import('@/features/doctor-appointment/RecordsPage')),
  doctorRoute('verification', () => import('@/features/doctor-verification/VerificationPage')),
  doctorRoute('schedule', () => import('@/features/schedule/SchedulePage')),
  elsewhere,
];

/** Below `/admin`. */
export const adminPages: RouteObject[] = [
  adminRoute('dashboard', () => import('@/features/admin-dashboard/AdminDashboardPage')),
  adminRoute('users', () => import('@/features/admin-users/UsersPage')),
  adminRoute('doctors', () => import('@/features/admin-users/DoctorsPage')),
  adminRoute('doctors/:id', () => import('@/features/admin-users/DoctorCasePage')),
  adminRoute('analytics', () => import('@/features/admin-analytics/AnalyticsPage')),
  adminRoute('audit', () => import('@/features/admin-audit/AuditPage')),
  adminRoute('audit/readings', () => import('@/features/admin-audit/AccessLogPage')),
  adminRoute('records', () => import('@/features/admin-appointments/AppointmentsPage')),
  elsewhere,
];

export function DoctorRoutes() {
  return useRoutes(doctorPages);
}

export function AdminRoutes() {
  return useRoutes(adminPages);
}
