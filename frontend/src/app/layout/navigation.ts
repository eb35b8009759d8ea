import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { User } from '@/api/types';
import { dashboardOf, paths } from '@/lib/paths';

export interface NavItem {
  label: MessageDescriptor;
  href: string;
}

/** Return the items of the user menu, without Logout. */
export function personalItems(user: User): NavItem[] {
  return [
    ...(user.role === 'patient' ? [{ label: msg`Records`, href: paths.patientRecords }] : []),
    { label: msg`Edit Profile`, href: paths.profile },
  ];
}

/** Return the items of the header. */
export function mainItems(user: User | null): NavItem[] {
  if (!user) return [{ label: msg`Home`, href: paths.home }];
  const dashboard = { label: msg`Dashboard`, href: dashboardOf(user.role) };
  if (user.role === 'admin') {
    return [
      dashboard,
      { label: msg`Users`, href: paths.adminUsers() },
      { label: msg`Doctors`, href: paths.adminDoctors() },
      { label: msg`Records`, href: paths.adminRecords() },
      { label: msg`Analytics`, href: paths.adminAnalytics() },
      { label: msg`Audit`, href: paths.adminAudit() },
    ];
  }
  if (user.role !== 'doctor') return [dashboard];
  return [
    dashboard,
    { label: msg`Appointments`, href: paths.doctorAppointments() },
    { label: msg`Patients`, href: paths.doctorPatients() },
    { label: msg`Records`, href: paths.doctorRecords() },
    { label: msg`Schedule`, href: paths.doctorSchedule },
  ];
}

/** Return `aria-current` of an item: its own page, a page below it, or neither. */
export function ariaCurrent(href: string, pathname: string): 'page' | 'true' | undefined {
  if (href === pathname) return 'page';
  return href !== paths.home && pathname.startsWith(`${href}/`) ? 'true' : undefined;
}
