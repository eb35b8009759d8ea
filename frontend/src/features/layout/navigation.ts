import type { User } from '@/api/types';
import { dashboardOf, paths } from '@/lib/paths';

export interface NavItem {
  label: string;
  href: string;
}

/** What stands in the avatar menu, beside Logout. */
export function personalItems(user: User): NavItem[] {
  return [
    ...(user.role === 'patient' ? [{ label: 'Records', href: paths.patientRecords }] : []),
    ...(user.role === 'doctor' ? [{ label: 'Schedule', href: paths.doctorSchedule }] : []),
    { label: 'Edit Profile', href: paths.profile },
  ];
}

/** What stands in the header itself. */
export function mainItems(user: User | null): NavItem[] {
  if (!user) return [{ label: 'Home', href: paths.home }];
  return [{ label: 'Dashboard', href: dashboardOf(user.role) }];
}
