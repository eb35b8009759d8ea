import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { appointmentQuery } from '@/api/queries';
import type { CalendarAppointment } from '@/api/types';
import { AppointmentTime } from '@/domain/appointment/AppointmentTime';
import { AppointmentActions } from '@/domain/appointment/doctor/AppointmentActions';
import { PatientRequests } from '@/domain/appointment/doctor/PatientRequests';
import { StatusSummary } from '@/domain/appointment/StatusSummary';
import { telHref } from '@/lib/contact';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorState } from '@/ui/ErrorState';
import { Link } from '@/ui/Link';
import { Skeleton, Skeletons } from '@/ui/Skeleton';

interface Props {
  appointment: CalendarAppointment;
  zone: string;
  onClose: () => void;
}

/** An appointment of the calendar: time, reason and actions. */
export function AppointmentDialog({ appointment: { _id, ...known }, zone, onClose }: Props) {
  const { t } = useLingui();
  const link = useRef<HTMLAnchorElement>(null);
  const { name } = known.patient;
  const {
    data: appointment,
    isLoadingError,
    isFetching,
    refetch,
  } = useQuery(appointmentQuery(_id));
  return (
    <Dialog
      title={name}
      onClose={onClose}
      actions={
        <LinkButton ref={link} href={paths.doctorAppointment(_id)}>
          <Trans>Open appointment</Trans>
        </LinkButton>
      }
    >
      <AppointmentTime appointment={{ ...known, timeZone: zone }} />
      {appointment ? (
        <>
          <StatusSummary appointment={appointment} reader="doctor" />
          {appointment.outsideHours && (
            <p className="attention">
              <Trans>Outside your hours</Trans>
            </p>
          )}
          <p className={appointment.symptoms ? 'multiline' : 'muted'}>
            {appointment.symptoms || <Trans>No reason given</Trans>}
          </p>
          {appointment.patient.phone && (
            <p>
              <a href={telHref(appointment.patient.phone)}>{appointment.patient.phone}</a>
            </p>
          )}
          <PatientRequests appointment={appointment} heading="h3" onDone={onClose} />
          <AppointmentActions
            appointment={appointment}
            instant
            onDone={onClose}
            onUndoExpired={() => link.current?.focus()}
          />
          <p>
            <Link href={paths.doctorPatient(known.patient._id)}>
              <Trans>Earlier appointments with {name}</Trans>
            </Link>
          </p>
        </>
      ) : isLoadingError ? (
        <ErrorState
          title={t`We couldn’t load this appointment`}
          onRetry={() => refetch()}
          busy={isFetching}
        />
      ) : (
        <Skeletons count={2}>
          <Skeleton height={36} />
        </Skeletons>
      )}
    </Dialog>
  );
}
