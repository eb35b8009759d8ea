import type { User } from '@/api/types';
import { dashboardOf, paths } from '@/lib/paths';

export interface NavItem {
  label: string;
  href: string;
}

/** Return the items of the user menu, without Logout. */
export function personalItems(user: User): NavItem[] {
  return [
    ...(user.role === 'patient' ? [{ label: 'Records', href: paths.patientRecords }] : []),
    { label: 'Edit Profile', href: paths.profile },
  ];
}

/** Return the items of the header. */
export function mainItems(user: User | null): NavItem[] {
  if (!user) return [{ label: 'Home', href: paths.home }];
  const dashboard = { label: 'Dashboard', href: dashboardOf(user.role) };
  if (user.role === 'admin') {
    return [
      dashboard,
      { label: 'Users', href: paths.adminUsers() },
      { label: 'Doctors', href: paths.adminDoctors() },
      { label: 'Records', href: paths.adminRecords() },
      { label: 'Analytics', href: paths.adminAnalytics() },
      { label: 'Audit', href: paths.adminAudit() },
    ];
  }
  if (user.role !== 'doctor') return [dashboard];
  return [
    dashboard,
    { label: 'Appointments', href: paths.doctorAppointments() },
    { label: 'Patients', href: paths.doctorPatients() },
    { label: 'Records', href: paths.doctorRecords() },
    { label: 'Schedule', href: paths.doctorSchedule },
  ];
}

/** Return `aria-current` of an item: its own page, a page below it, or neither. */
export function ariaCurrent(href: string, pathname: string): 'page' | 'true' | undefined {
  if (href === pathname) return 'page';
  return href !== paths.home && pathname.startsWith(`${href}/`) ? 'true' : undefined;
}
