import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useDeferredValue } from 'react';
import { useParams } from 'react-router-dom';
import { ApiError } from '@/api/errors';
import { doctorQuery } from '@/api/queries';
import { BackLink } from '@/domain/BackLink';
import { useFreeTimes } from '@/domain/freeTimes';
import { formatDayTime } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/states';
import styles from './BookPage.module.css';
import { Choice } from './Choice';
import { holdIdFor } from './hold';
import { LostTime } from './LostTime';
import { Reasons } from './Reasons';
import { Summary } from './Summary';
import { useBooking } from './useBooking';

// Few come for a doctor who cannot be booked.
const DoctorMissing = lazy(() =>
  import('@/domain/DoctorMissing').then((module) => ({ default: module.DoctorMissing })),
);

export default function BookPage() {
  const { doctorId = '' } = useParams();
  const { data, error, isFetching, refetch } = useQuery(doctorQuery(doctorId));
  // The answer is drawn in short pieces: in one it would hold up a slow telephone.
  const doctor = useDeferredValue(data);
  // Asked for beside the doctor, not after.
  useFreeTimes(doctorId, holdIdFor(doctorId));
  const missing = error instanceof ApiError && (error.status === 404 || error.status === 400);
  const booking = useBooking(doctorId);
  const { form, lost } = booking;

  return (
    <div className={styles.column}>
      <BackLink href={paths.doctor(doctorId)}>
        {doctor ? doctorName(doctor.name) : 'Back to the doctor'}
      </BackLink>
      {lost && doctor ? (
        <LostTime
          lost={lost}
          timeZone={doctor.timeZone}
          onChoose={booking.choose}
          onMore={booking.startChange}
        >
          {formatDayTime(lost.slot.date, lost.slot.time)} with {doctorName(doctor.name)} was not
          booked. What you typed is still here.
          {lost.code === 'patient_busy' && (
            <>
              {' '}
              <Link href={paths.patientAppointments()}>See your appointments</Link>
            </>
          )}
        </LostTime>
      ) : (
        <>
          <ErrorSummary form={form} />
          {booking.full && form.message && (
            <Link href={paths.patientAppointments()}>See your appointments</Link>
          )}
        </>
      )}
      <PageHeading
        title="Book appointment"
        lead="You see everything once more before you book, and nothing is charged."
      >
        Book appointment
      </PageHeading>
      {!booking.mayBook && (
        <Banner
          tone="info"
          title={`You are signed in as ${booking.session.user?.role === 'admin' ? 'an admin' : 'a doctor'}`}
        >
          Visits are booked from a patient’s account. To book for yourself, sign out and sign in as
          a patient.
        </Banner>
      )}
      {doctor ? (
        <form className="stack" data-gap="6" noValidate onSubmit={form.onSubmit}>
          <Choice doctor={doctor} booking={booking} />
          {booking.mayBook && <Reasons doctor={doctor} booking={booking} />}
          <Summary doctor={doctor} booking={booking} />
        </form>
      ) : missing ? (
        <Suspense fallback={null}>
          <DoctorMissing />
        </Suspense>
      ) : error ? (
        <ErrorState
          title="Doctor not found or unavailable."
          onRetry={() => refetch()}
          busy={isFetching}
        />
      ) : (
        <div className={styles.waiting}>
          <Skeletons count={1}>
            <div className="stack" data-gap="6">
              <Skeleton height={480} />
              <Skeleton height={180} />
              <Skeleton height={180} />
            </div>
          </Skeletons>
        </div>
      )}
    </div>
  );
}
