import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useParams, useSearchParams } from 'react-router-dom';
import { ApiError } from '@/api/errors';
import { doctorQuery } from '@/api/queries';
import type { Doctor } from '@/api/types';
import { BackLink, lastListPath } from '@/domain/BackLink';
import { ConfirmationBadge } from '@/domain/ConfirmationBadge';
import { DoctorCredentials } from '@/domain/DoctorCredentials';
import { DoctorDetails } from '@/domain/DoctorDetails';
import { DoctorNotFound } from '@/domain/DoctorNotFound';
import { nearDayLabel, type Slot, useFreeSlots } from '@/domain/freeSlots';
import { SlotPicker } from '@/domain/slotPicker/SlotPicker';
import { cx } from '@/lib/cx';
import { formatDay, formatTime, isDate, zoneLabel } from '@/lib/dates';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { Avatar } from '@/ui/Avatar';
import { Banner } from '@/ui/Banner';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { ErrorState } from '@/ui/ErrorState';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { CalendarIcon } from '@/ui/icons';
import { PageHeading } from '@/ui/PageHeading';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { Toolbar } from '@/ui/Toolbar';
import styles from './DoctorPage.module.css';

// Rarely needed: few doctors are fully booked.
const NoFreeTimes = lazy(() =>
  import('@/domain/NoFreeSlots').then((module) => ({ default: module.NoFreeSlots })),
);

export default function DoctorPage() {
  const { t } = useLingui();
  const { id = '' } = useParams();
  const { data: doctor, error, isFetching, refetch } = useQuery(doctorQuery(id));
  // Fetched in parallel with the doctor.
  useFreeSlots(id);
  const back = lastListPath();
  const missing = error instanceof ApiError && (error.status === 404 || error.status === 400);
  const name = doctor && doctorName(doctor.name);

  return (
    <Grid gap={5} className={styles.layout}>
      <div>
        <BackLink href={back ?? paths.findDoctors()}>
          {back ? t`Back to doctors` : t`All doctors`}
        </BackLink>
        <Inline gap={4} align="start" wrap={false} className={styles.header}>
          {doctor ? (
            <Avatar name={doctor.name} src={doctor.profilePicture} size={96} />
          ) : (
            !error && <Skeleton width={96} height={96} />
          )}
          <Stack gap={0} className={styles.identity}>
            <PageHeading title={name ?? t`Doctor`} className={styles.heading}>
              {name ?? (error ? t`Doctor` : t`Loading doctor`)}
            </PageHeading>
            {doctor && <DoctorCredentials doctor={doctor} />}
          </Stack>
        </Inline>
      </div>
      {doctor ? (
        <>
          <FreeSlots doctor={doctor} />
          <DoctorDetails doctor={doctor} />
        </>
      ) : missing ? (
        <div className={styles.fullWidth}>
          <DoctorNotFound />
        </div>
      ) : error ? (
        <div className={styles.fullWidth}>
          <ErrorState
            title={t`We couldn’t load this doctor`}
            onRetry={() => refetch()}
            busy={isFetching}
          />
        </div>
      ) : (
        <Stack className={cx(styles.side, styles.loading)}>
          <Skeletons count={1}>
            <Stack>
              <Skeleton height={48} />
              <Skeleton height={420} />
            </Stack>
          </Skeletons>
        </Stack>
      )}
    </Grid>
  );
}

/** The next free time as a button, and the picker. */
function FreeSlots({ doctor }: { doctor: Doctor }) {
  const [params, setParams] = useSearchParams();
  const followUp = dateParam(params, 'followUp');
  const day = dateParam(params, 'date') ?? followUp;
  // The free times are newer than the page.
  const { nextFree: next = doctor.nextFree } = useFreeSlots(doctor._id);
  const name = doctorName(doctor.name);
  const followUpDay = followUp && formatDay(followUp);

  return (
    <Stack className={styles.side}>
      {next && !followUp && (
        <LinkButton
          href={paths.book(doctor._id, { date: next.date, time: next.time })}
          icon={<CalendarIcon size={20} />}
          wide
        >
          <NextOpening slot={next} timeZone={doctor.timeZone} name={name} />
        </LinkButton>
      )}
      {followUpDay && (
        <Banner tone="info">
          <Trans>
            {name} asked you to come back around {followUpDay}. The openings below start there.
          </Trans>
        </Banner>
      )}
      <Card as="section" gap={4} aria-labelledby="choose-a-time">
        <Toolbar gap={2}>
          <h2 id="choose-a-time">
            <Trans>Choose a time</Trans>
          </h2>
          <ConfirmationBadge instant={doctor.instantConfirmation} />
        </Toolbar>
        <SlotPicker
          doctor={doctor}
          day={day}
          onDay={(date) =>
            setParams(
              { ...(followUp && { followUp }), date },
              { replace: true, state: { keepScroll: true } },
            )
          }
          href={(slot) => paths.book(doctor._id, slot)}
          emptyState={
            <Suspense fallback={null}>
              <NoFreeTimes doctor={doctor} />
            </Suspense>
          }
        />
      </Card>
    </Stack>
  );
}

interface NextOpeningProps {
  slot: Slot;
  timeZone: string;
  name: string;
}

/** The label of the button that books the next free time. */
function NextOpening({ slot, timeZone, name }: NextOpeningProps) {
  const day = nearDayLabel(slot.date, timeZone);
  const time = formatTime(slot.time);
  const zone = zoneLabel(timeZone);
  return (
    <Trans>
      Next opening: {day}, {time}
      <span className="visually-hidden">
        , {zone}. Book it with {name}
      </span>
    </Trans>
  );
}

/** Return a date parameter of the URL; null if there is none. */
function dateParam(params: URLSearchParams, name: string): string | null {
  const text = params.get(name) ?? '';
  return isDate(text) ? text : null;
}
