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
  const { phone, name } = appointment.hospital;
  const doctor = doctorName(appointment.doctor.name);
  return (
    <Stack gap={2}>
      <p>
        Only {doctor} can change this record. Tell the clinic what is wrong or missing, and the date
        of your appointment.
      </p>
      <p>
        {phone ? (
          <>
            Call {name || 'the clinic'}:{' '}
            <a href={telHref(phone)} className="nowrap">
              {phone}
            </a>
          </>
        ) : (
          <>
            The clinic has no phone number here.{' '}
            {hasContact ? (
              <>
                <Link href={paths.contact}>Contact us</Link> and we’ll let them know.
              </>
            ) : (
              'Tell them when you go there.'
            )}
          </>
        )}
      </p>
      <p className="muted">
        We’ll notify you when the record changes, and you can still read what it said before.
      </p>
    </Stack>
  );
}
