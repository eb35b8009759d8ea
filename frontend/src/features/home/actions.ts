import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Role } from '@/api/types';
import { dashboardOf, paths } from '@/lib/paths';

export interface Action {
  label: MessageDescriptor;
  href: string;
}

/** The buttons of the hero by role; null for visitors. */
export function actionsFor(role: Role | null): Action[] {
  if (role === null) {
    return [
      { label: msg`Get Started`, href: paths.login() },
      { label: msg`Register Now`, href: paths.register() },
    ];
  }
  const dashboard = { label: msg`Go to Dashboard`, href: dashboardOf(role) };
  if (role === 'patient') {
    return [{ label: msg`Book Appointment`, href: paths.findDoctors() }, dashboard];
  }
  if (role === 'doctor') {
    return [{ label: msg`View Appointments`, href: paths.doctorAppointments() }, dashboard];
  }
  return [dashboard];
}

/** The button at the bottom: registration for visitors, else the role's first action. */
export function closingAction(role: Role | null): Action {
  if (role === null) return { label: msg`Register Today`, href: paths.register() };
  return actionsFor(role)[0] as Action;
}
