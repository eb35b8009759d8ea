import { lazy } from 'react';
import { Navigate, type RouteObject, useRoutes } from 'react-router-dom';
import { Layout } from '@/features/layout/Layout';
import { paths } from '@/lib/paths';
import { anyone, only, open, route } from './route';

// What only doctors and admins open; kept apart, so that patients don't load the list of it.
const DoctorRoutes = lazy(() =>
  import('./deskRoutes').then((desks) => ({ default: desks.DoctorRoutes })),
);
const AdminRoutes = lazy(() =>
  import('./deskRoutes').then((desks) => ({ default: desks.AdminRoutes })),
);

/** The site map; the desks' part of it stands in deskRoutes.tsx. */
const pages: RouteObject[] = [
  route('/', open, () => import('@/features/home/HomePage')),
  route('/login', open, () => import('@/features/auth/LoginPage')),
  route('/register', open, () => import('@/features/auth/RegisterPage')),
  route('/forgot-password', open, () => import('@/features/auth/ForgotPasswordPage')),
  route('/reset-password', open, () => import('@/features/auth/ResetPasswordPage')),
  route('/confirm-email', open, () => import('@/features/auth/ConfirmEmailPage')),
  route('/unsubscribe', open, () => import('@/features/notices/UnsubscribePage')),
  route('/about', open, () => import('@/features/site/AboutPage')),
  route('/contact', open, () => import('@/features/site/ContactPage')),
  route('/privacy', open, () => import('@/features/site/PrivacyPage')),
  route('/patient/doctors', open, () => import('@/features/directory/FindDoctorsPage')),
  route('/doctors/:id', open, () => import('@/features/directory/DoctorPage')),
  route('/patient/book-appointment/:doctorId', open, () => import('@/features/booking/BookPage')),
  route('/profile', anyone, () => import('@/features/profile/ProfilePage')),
  route('/profile/notices', anyone, () => import('@/features/notices/NoticeSettingsPage')),
  route('/notices', anyone, () => import('@/features/notices/NoticesPage')),
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

  { path: '/doctor/*', element: <DoctorRoutes /> },
  { path: '/admin/*', element: <AdminRoutes /> },
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
