import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router-dom';
import type { Appointment } from '@/api/types';
import { AddToCalendar } from '@/domain/appointment/AddToCalendar';
import { expiryText } from '@/domain/appointment/expiryText';
import { isUpcoming, viewerTimeText } from '@/domain/appointment/statusText';
import { formatDayTime, zoneLabel } from '@/lib/dates';
import { formatFacts } from '@/lib/formatList';
import { formatMoney } from '@/lib/money';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { IconButton } from '@/ui/Button';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { CheckIcon, ClockIcon, CloseIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import { SUCCESS_MS } from '@/ui/toasts';
import styles from './BookedPanel.module.css';

/**
 * Shown after booking, also after a reload: what was booked, what happens next and what to bring. A
 * request is amber until the doctor confirms it.
 */
export default function BookedPanel({ appointment }: { appointment: Appointment }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const unsent = useLocation().state?.unsent === true;
  if (!isUpcoming(appointment)) return null;
  const { doctor, appointmentDate, appointmentTime, timeZone, respondBy } = appointment;
  const name = doctorName(doctor.name);
  const isConfirmed = appointment.status === 'confirmed';
  const own = viewerTimeText(appointment);
  const zone = zoneLabel(timeZone);
  const fee = formatMoney(appointment.consultationFee, appointment.currency);
  const expiry = respondBy && expiryText(name, respondBy, timeZone);
  return (
    <Stack
      role="status"
      as="section"
      gap={3}
      className={styles.panel}
      data-request={isConfirmed ? undefined : ''}
      data-print="no"
    >
      <Grid gap={3} align="center" className={styles.header}>
        {isConfirmed ? <CheckIcon size={28} /> : <ClockIcon size={28} />}
        <h2>{isConfirmed ? t`You’re all set` : t`Request sent`}</h2>
        <IconButton
          label={t`Dismiss`}
          onClick={() => navigate(paths.patientAppointments(), { replace: true })}
        >
          <CloseIcon />
        </IconButton>
      </Grid>
      {!isConfirmed && (
        <p>
          {expiry
            ? t`Not confirmed yet. ${expiry} We’ll email you when ${name} replies.`
            : t`Not confirmed yet. We’ll email you when ${name} replies.`}
        </p>
      )}
      <p>
        <strong>
          {name}, {formatDayTime(appointmentDate, appointmentTime)}
        </strong>{' '}
        ({formatFacts([zone, own])})
      </p>
      {unsent && <p>{t`You’d already booked this. Your new notes weren’t added.`}</p>}
      <Stack as="dl" gap={3} className={styles.fields}>
        <div>
          <dt>{t`What to bring`}</dt>
          <dd>
            {t`Photo ID, a list of the medicines you take, and earlier test results if you have them. The fee is ${fee}. You’ll pay at the clinic.`}
          </dd>
        </div>
      </Stack>
      <Inline>
        <AddToCalendar id={appointment._id} />
        <Link href={paths.patientAppointment(appointment._id)}>{t`View appointment`}</Link>
      </Inline>
      <BookingSuccess />
    </Stack>
  );
}

/**
 * The specification's success message, shown as long as any success message. Its space in the panel
 * stays, so that nothing moves; it is not shown after a reload or back navigation.
 */
function BookingSuccess() {
  const isJustNow = useNavigationType() === 'REPLACE';
  const [isShown, setIsShown] = useState(isJustNow);
  useEffect(() => {
    if (!isShown) return;
    const timer = setTimeout(() => setIsShown(false), SUCCESS_MS);
    return () => clearTimeout(timer);
  }, [isShown]);
  if (!isJustNow) return null;
  return (
    // A toast announces it.
    <Inline
      aria-hidden="true"
      as="p"
      gap={2}
      wrap={false}
      className={styles.confirmation}
      data-shown={isShown ? '' : undefined}
    >
      <CheckIcon size={20} />
      <Trans>Appointment booked successfully!</Trans>
    </Inline>
  );
}
