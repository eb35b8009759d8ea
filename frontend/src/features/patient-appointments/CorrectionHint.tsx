import { Trans } from '@lingui/react/macro';
import type { Appointment } from '@/api/types';
import { useHasContact } from '@/domain/useHasContact';
import { telHref } from '@/lib/contact';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';

/** Contact for questions: only the doctor can change the record. */
export function CorrectionHint({ appointment }: { appointment: Appointment }) {
  const hasContact = useHasContact();
  const { phone, name: clinic } = appointment.hospital;
  const doctor = doctorName(appointment.doctor.name);
  return (
    <Stack gap={2}>
      <p>
        <Trans>
          Only {doctor} can change this record. Tell the clinic what’s wrong or missing, and the
          date of your appointment.
        </Trans>
      </p>
      <p>
        {phone ? (
          clinic ? (
            <Trans>
              Call {clinic}:{' '}
              <a href={telHref(phone)} className="nowrap">
                {phone}
              </a>
            </Trans>
          ) : (
            <Trans>
              Call the clinic:{' '}
              <a href={telHref(phone)} className="nowrap">
                {phone}
              </a>
            </Trans>
          )
        ) : hasContact ? (
          <Trans>
            We don’t have a phone number for the clinic.{' '}
            <Link href={paths.contact}>Contact us</Link> and we’ll let them know.
          </Trans>
        ) : (
          <Trans>
            We don’t have a phone number for the clinic. Please tell them at your next appointment.
          </Trans>
        )}
      </p>
      <p className="muted">
        <Trans>
          We’ll notify you when the record changes, and you can still read the earlier version.
        </Trans>
      </p>
    </Stack>
  );
}
