import { Banner } from '@/ui/Banner';

/** Shown to doctors and admins on the booking page. */
export default function NotAPatient({ role }: { role?: string }) {
  return (
    <Banner
      tone="info"
      title={`You are signed in as ${role === 'admin' ? 'an admin' : 'a doctor'}`}
    >
      Appointments are booked from a patient’s account. To book for yourself, sign out and sign in
      as a patient.
    </Banner>
  );
}
