import { lazy } from 'react';
import { matchRoutes, Navigate, type RouteObject, useRoutes } from 'react-router-dom';
import { Layout } from '@/features/layout/Layout';
import { paths } from '@/lib/paths';
import { anyone, type Handle, kept, only, open, route } from './route';

// What only doctors and admins open; kept apart, so that patients don't load the list of it.
const DoctorRoutes = lazy(() =>
  import('./deskRoutes').then((desks) => ({ default: desks.DoctorRoutes })),
);
const AdminRoutes = lazy(() =>
  import('./deskRoutes').then((desks) => ({ default: desks.AdminRoutes })),
);

/** The site map; the desks' part of it stands in deskRoutes.tsx. */
export const pages: RouteObject[] = [
  route('/', kept, () => import('@/features/home/HomePage')),
  route('/login', open, () => import('@/features/auth/LoginPage')),
  route('/register', open, () => import('@/features/auth/RegisterPage')),
  route('/forgot-password', open, () => import('@/features/auth/ForgotPasswordPage')),
  route('/reset-password', open, () => import('@/features/auth/ResetPasswordPage')),
  route('/confirm-email', open, () => import('@/features/auth/ConfirmEmailPage')),
  route('/unsubscribe', open, () => import('@/features/notices/UnsubscribePage')),
  route('/about', kept, () => import('@/features/site/AboutPage')),
  route('/contact', kept, () => import('@/features/site/ContactPage')),
  route('/privacy', kept, () => import('@/features/site/PrivacyPage')),
  route('/patient/doctors', kept, () => import('@/features/directory/FindDoctorsPage')),
  route('/doctors/:id', kept, () => import('@/features/directory/DoctorPage')),
  route('/patient/book-appointment/:doctorId', kept, () => import('@/features/booking/BookPage')),
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

/** What is known of the page at an address; nothing of the desks', which their own map knows. */
export function handleAt(address: string): Handle | undefined {
  return matchRoutes(map, address)?.at(-1)?.route.handle as Handle | undefined;
}

export function Routes() {
  return useRoutes(map);
}
