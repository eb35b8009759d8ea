import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useDeferredValue } from 'react';
import { useParams } from 'react-router-dom';
import { ApiError } from '@/api/errors';
import { doctorQuery } from '@/api/queries';
import { BackLink } from '@/domain/BackLink';
import { freeDays, useFreeSlots } from '@/domain/freeSlots';
import { LazySlotUnavailable } from '@/domain/LazySlotUnavailable';
import { formatDayTime } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Card } from '@/ui/Card';
import { ErrorState } from '@/ui/ErrorState';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { BookingNotes } from './BookingNotes';
import { BookingSummary } from './BookingSummary';
import styles from './BookPage.module.css';
import { holdIdFor } from './hold';
import { SlotSummary } from './SlotSummary';
import { useBooking } from './useBooking';

// Rarely needed, so loaded on demand.
const NotAPatient = lazy(() => import('./NotAPatient'));
const NoFreeTimes = lazy(() =>
  import('@/domain/NoFreeSlots').then((module) => ({ default: module.NoFreeSlots })),
);
const ConfirmEmailFirst = lazy(() => import('@/domain/ConfirmEmailFirst'));
const DoctorNotFound = lazy(() =>
  import('@/domain/DoctorNotFound').then((module) => ({ default: module.DoctorNotFound })),
);

export default function BookPage() {
  const { t } = useLingui();
  const { doctorId = '' } = useParams();
  const { data, error, isFetching, refetch } = useQuery(doctorQuery(doctorId));
  // Render the response at a lower priority, so that slow phones stay responsive.
  const doctor = useDeferredValue(data);
  // Fetched in parallel with the doctor.
  const { slots, nextFree } = useFreeSlots(doctorId, holdIdFor(doctorId));
  const missing = error instanceof ApiError && (error.status === 404 || error.status === 400);
  const booking = useBooking(doctorId);
  const { form, unavailable } = booking;
  const name = doctor && doctorName(doctor.name);
  const slotText = unavailable && formatDayTime(unavailable.slot.date, unavailable.slot.time);
  // Nothing can be booked, so show no form.
  const isBookedOut =
    nextFree === null && !booking.slot && slots !== undefined && freeDays(slots, 1).length === 0;

  return (
    <Stack className="column">
      {/* This page is prerendered for any doctor, so no link may contain an id yet. */}
      <BackLink href={doctor ? paths.doctor(doctorId) : paths.findDoctors()}>
        {name ?? t`All doctors`}
      </BackLink>
      {unavailable && doctor ? (
        <LazySlotUnavailable
          unavailable={unavailable}
          timeZone={doctor.timeZone}
          onChoose={booking.choose}
          onMore={booking.startChange}
        >
          <Trans>
            {slotText} with {name} wasn’t booked. What you typed is still here.
          </Trans>
          {unavailable.code === 'patient_busy' && (
            <>
              {' '}
              <Link href={paths.patientAppointments()}>{t`See your appointments`}</Link>
            </>
          )}
        </LazySlotUnavailable>
      ) : (
        <>
          <ErrorSummary form={form} />
          {booking.isLimitReached && form.message && (
            <Link href={paths.patientAppointments()}>{t`See your appointments`}</Link>
          )}
          {booking.needsEmailConfirmation && form.message && booking.session.user && (
            <Suspense fallback={null}>
              <ConfirmEmailFirst user={booking.session.user} action={t`Book`} />
            </Suspense>
          )}
        </>
      )}
      <PageHeading
        title={t`Book appointment`}
        lead={t`Review everything before you book. You won’t be charged.`}
      >
        {t`Book appointment`}
      </PageHeading>
      {!booking.canBook && (
        <Suspense fallback={null}>
          <NotAPatient role={booking.session.user?.role} />
        </Suspense>
      )}
      {doctor && isBookedOut ? (
        <Card>
          <Suspense fallback={null}>
            <NoFreeTimes doctor={doctor} />
          </Suspense>
        </Card>
      ) : doctor ? (
        <Stack as="form" gap={6} noValidate onSubmit={form.onSubmit}>
          <SlotSummary doctor={doctor} booking={booking} />
          {booking.canBook && <BookingNotes doctor={doctor} booking={booking} />}
          <BookingSummary doctor={doctor} booking={booking} />
        </Stack>
      ) : missing ? (
        <Suspense fallback={null}>
          <DoctorNotFound />
        </Suspense>
      ) : error ? (
        <ErrorState
          title={t`Doctor not found or unavailable.`}
          onRetry={() => refetch()}
          busy={isFetching}
        />
      ) : (
        <div className={styles.loading}>
          <Skeletons count={1}>
            <Stack gap={6}>
              <Skeleton height={480} />
              <Skeleton height={180} />
              <Skeleton height={180} />
            </Stack>
          </Skeletons>
        </div>
      )}
    </Stack>
  );
}
