import type { Appointment } from '@/api/types';
import { telHref } from '@/lib/contact';

/** The advice to call, where the clinic has a number. */
export function ClinicPhone({ appointment }: { appointment: Appointment }) {
  const { phone } = appointment.hospital;
  if (!phone) return null;
  return (
    <>
      If it’s soon, please also call the clinic:{' '}
      <a href={telHref(phone)} className="nowrap">
        {phone}
      </a>
    </>
  );
}
