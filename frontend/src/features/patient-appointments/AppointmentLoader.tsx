import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '@/api/errors';
import { appointmentDetailQuery } from '@/api/queries';
import type { AppointmentDetail } from '@/api/types';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';
import { ErrorState } from '@/ui/ErrorState';
import { ChevronLeftIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import styles from './AppointmentLoader.module.css';

interface Props {
  id: string;
  back: { href: string; label: string };
  /** The heading while the appointment is not loaded. */
  title: string;
  children: (detail: AppointmentDetail) => ReactNode;
}

/** A page about one of the patient's appointments: a link back, and the appointment once loaded. */
export function AppointmentLoader({ id, back, title, children }: Props) {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery(appointmentDetailQuery(id));
  return (
    <Stack gap={5} className="column">
      <Link href={back.href} className={styles.back} data-print="no">
        <ChevronLeftIcon size={20} />
        {back.label}
      </Link>
      {data ? (
        children(data)
      ) : error instanceof ApiError && error.status === 404 ? (
        <AppointmentNotFound />
      ) : error ? (
        <>
          <PageHeading>{title}</PageHeading>
          <ErrorState title={t`Failed to fetch appointments`} onRetry={() => refetch()} />
        </>
      ) : (
        <Skeletons count={2}>
          <Skeleton height={180} />
        </Skeletons>
      )}
    </Stack>
  );
}

function AppointmentNotFound() {
  const { t } = useLingui();
  return (
    <>
      <PageHeading>{t`Appointment not found`}</PageHeading>
      <EmptyState
        title={t`We couldn’t find this appointment`}
        action={
          <LinkButton href={paths.patientAppointments()}>{t`View my appointments`}</LinkButton>
        }
      >
        <Trans>The link may be incomplete, or the appointment may belong to another account.</Trans>
      </EmptyState>
    </>
  );
}
