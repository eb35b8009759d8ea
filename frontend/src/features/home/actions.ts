import type { Role } from '@/api/types';
import { dashboardOf, paths } from '@/lib/paths';

interface Action {
  label: string;
  href: string;
}

/** The buttons of the hero by role; null for visitors. */
export function actionsFor(role: Role | null): Action[] {
  if (role === null) {
    return [
      { label: 'Get Started', href: paths.login() },
      { label: 'Register Now', href: paths.register() },
    ];
  }
  const dashboard = { label: 'Go to Dashboard', href: dashboardOf(role) };
  if (role === 'patient') {
    return [{ label: 'Book Appointment', href: paths.findDoctors() }, dashboard];
  }
  if (role === 'doctor') {
    return [{ label: 'View Appointments', href: paths.doctorAppointments() }, dashboard];
  }
  return [dashboard];
}

/** The button at the bottom: registration for visitors, else the role's first action. */
export function closingAction(role: Role | null): Action {
  if (role === null) return { label: 'Register Today', href: paths.register() };
  return actionsFor(role)[0] as Action;
}
