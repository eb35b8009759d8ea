import { lazy } from 'react';
import { matchRoutes, type RouteObject, useRoutes } from 'react-router-dom';
import { Layout } from '@/app/layout/Layout';
import { NotFound } from '@/app/layout/NotFound';
import {
  type Handle,
  publicPage,
  publicPrerenderedPage,
  requireRole,
  requireSession,
  route,
} from './routeFactory';

// Pages of doctors and admins; separate, so that patients don't load them.
const DoctorRoutes = lazy(() =>
  import('./staffRoutes').then((module) => ({ default: module.DoctorRoutes })),
);
const AdminRoutes = lazy(() =>
  import('./staffRoutes').then((module) => ({ default: module.AdminRoutes })),
);

/** The routes; those of doctors and admins are in staffRoutes.tsx. */
export const pages: RouteObject[] = [
  route('/', publicPrerenderedPage, () => import('@/features/home/HomePage')),
  route('/login', publicPage, () => import('@/features/auth/LoginPage')),
  route('/register', publicPage, () => import('@/features/auth/RegisterPage')),
  route('/forgot-password', publicPage, () => import('@/features/auth/ForgotPasswordPage')),
  route('/reset-password', publicPage, () => import('@/features/auth/ResetPasswordPage')),
  route('/confirm-email', publicPage, () => import('@/features/auth/ConfirmEmailPage')),
  route('/unsubscribe', publicPage, () => import('@/features/notifications/UnsubscribePage')),
  route('/about', publicPrerenderedPage, () => import('@/features/static-pages/AboutPage')),
  route('/contact', publicPrerenderedPage, () => import('@/features/static-pages/ContactPage')),
  route('/privacy', publicPrerenderedPage, () => import('@/features/static-pages/PrivacyPage')),
  route('/imprint', publicPage, () => import('@/features/static-pages/SiteTextPage')),
  route('/terms', publicPage, () => import('@/features/static-pages/SiteTextPage')),
  route(
    '/patient/doctors',
    publicPrerenderedPage,
    () => import('@/features/directory/FindDoctorsPage'),
  ),
  route('/doctors/:id', publicPrerenderedPage, () => import('@/features/directory/DoctorPage')),
  route(
    '/patient/book-appointment/:doctorId',
    publicPrerenderedPage,
    () => import('@/features/booking/BookPage'),
  ),
  route('/profile', requireSession, () => import('@/features/profile/ProfilePage')),
  route(
    '/profile/notices',
    requireSession,
    () => import('@/features/notifications/NotificationSettingsPage'),
  ),
  route('/notices', requireSession, () => import('@/features/notifications/NotificationsPage')),
  route(
    '/patient/profile',
    requireRole('patient'),
    () => import('@/features/profile/SimpleProfilePage'),
  ),

  route(
    '/patient/dashboard',
    requireRole('patient'),
    () => import('@/features/patient-dashboard/PatientDashboardPage'),
  ),
  route(
    '/patient/appointments',
    requireRole('patient'),
    () => import('@/features/patient-appointments/AppointmentsPage'),
  ),
  route(
    '/patient/appointments/:id',
    requireRole('patient'),
    () => import('@/features/patient-appointments/AppointmentPage'),
  ),
  route(
    '/patient/appointments/:id/move',
    requireRole('patient'),
    () => import('@/features/patient-appointments/ReschedulePage'),
  ),
  route(
    '/patient/records',
    requireRole('patient'),
    () => import('@/features/patient-records/RecordsPage'),
  ),

  { path: '/doctor/*', element: <DoctorRoutes /> },
  { path: '/admin/*', element: <AdminRoutes /> },
];

const map: RouteObject[] = [
  {
    element: <Layout />,
    children: [...pages, { path: '*', element: <NotFound /> }],
  },
];

/** Return the handle of the route at a path; null for pages of doctors and admins. */
export function findHandle(address: string): Handle | undefined {
  return matchRoutes(map, address)?.at(-1)?.route.handle as Handle | undefined;
}

export function Routes() {
  return useRoutes(map);
}
