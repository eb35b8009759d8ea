import { Trans } from '@lingui/react/macro';
import type { Appointment } from '@/api/types';
import { telHref } from '@/lib/contact';

/** Advice to call, if the clinic has a phone number. */
export function ClinicPhone({ appointment }: { appointment: Appointment }) {
  const { phone } = appointment.hospital;
  if (!phone) return null;
  return (
    <Trans>
      If it’s soon, please also call the clinic:{' '}
      <a href={telHref(phone)} className="nowrap">
        {phone}
      </a>
    </Trans>
  );
}
