import { useQuery } from '@tanstack/react-query';
import { useParams, useSearchParams } from 'react-router-dom';
import { ApiError } from '@/api/errors';
import { doctorQuery } from '@/api/queries';
import type { Doctor } from '@/api/types';
import { BackLink, lastList } from '@/domain/BackLink';
import { ConfirmationBadge } from '@/domain/ConfirmationBadge';
import { DoctorDetails } from '@/domain/DoctorDetails';
import { DoctorMissing } from '@/domain/DoctorMissing';
import { DoctorStanding } from '@/domain/DoctorStanding';
import { nearDay, useFreeTimes } from '@/domain/freeTimes';
import { SlotPicker } from '@/domain/SlotPicker';
import { cx } from '@/lib/cx';
import { isDate, zoneLabel } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Face } from '@/ui/Face';
import { CalendarIcon } from '@/ui/icons';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/states';
import styles from './DoctorPage.module.css';
import { NoFreeTimes } from './NoFreeTimes';

export default function DoctorPage() {
  const { id = '' } = useParams();
  const { data: doctor, error, isFetching, refetch } = useQuery(doctorQuery(id));
  // Asked for beside the doctor, not after.
  useFreeTimes(id);
  const back = lastList();
  const missing = error instanceof ApiError && (error.status === 404 || error.status === 400);
  const name = doctor && doctorName(doctor.name);

  return (
    <div className={styles.layout}>
      <div>
        <BackLink href={back ?? paths.findDoctors()}>
          {back ? 'Back to the doctors' : 'All doctors'}
        </BackLink>
        <div className={styles.head}>
          {doctor ? (
            <Face name={doctor.name} src={doctor.profilePicture} size={96} />
          ) : (
            !error && <Skeleton width={96} height={96} />
          )}
          <div className={styles.who}>
            <PageHeading title={name ?? 'Doctor'} className={styles.heading}>
              {name ?? (error ? 'Doctor' : 'Loading the doctor')}
            </PageHeading>
            {doctor && <DoctorStanding doctor={doctor} />}
          </div>
        </div>
      </div>
      {doctor ? (
        <>
          <Times doctor={doctor} />
          <DoctorDetails doctor={doctor} />
        </>
      ) : missing ? (
        <div className={styles.whole}>
          <DoctorMissing />
        </div>
      ) : error ? (
        <div className={styles.whole}>
          <ErrorState
            title="We could not load this doctor"
            onRetry={() => refetch()}
            busy={isFetching}
          />
        </div>
      ) : (
        <div className={cx(styles.side, styles.waiting)}>
          <Skeletons count={1}>
            <div className="stack">
              <Skeleton height={48} />
              <Skeleton height={420} />
            </div>
          </Skeletons>
        </div>
      )}
    </div>
  );
}

/** The next free time as one button, and the picker. */
function Times({ doctor }: { doctor: Doctor }) {
  const [params, setParams] = useSearchParams();
  const asked = params.get('date') ?? '';
  // The free times are fresher than the page.
  const { nextFree: next = doctor.nextFree } = useFreeTimes(doctor._id);

  return (
    <div className={styles.side}>
      {next && (
        <LinkButton
          href={paths.book(doctor._id, { date: next.date, time: next.time })}
          icon={<CalendarIcon size={20} />}
          wide
          className={styles.next}
        >
          Next free: {nearDay(next.date, doctor.timeZone)}, {next.time}
          <span className="visually-hidden">
            , {zoneLabel(doctor.timeZone)}. Book it with {doctorName(doctor.name)}
          </span>
        </LinkButton>
      )}
      <Card as="section" className={styles.picker} aria-labelledby="choose-a-time">
        <div className={styles.pickerHead}>
          <h2 id="choose-a-time">Choose a time</h2>
          <ConfirmationBadge instant={doctor.instantConfirmation} />
        </div>
        <SlotPicker
          doctor={doctor}
          day={isDate(asked) ? asked : null}
          onDay={(date) => setParams({ date }, { replace: true, state: { keepScroll: true } })}
          href={(slot) => paths.book(doctor._id, slot)}
          none={<NoFreeTimes doctor={doctor} />}
        />
      </Card>
    </div>
  );
}
