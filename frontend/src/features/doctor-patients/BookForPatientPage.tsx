import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router-dom';
import { patientQuery } from '@/api/doctorDesk';
import { ApiError } from '@/api/errors';
import type { PatientFacts } from '@/api/types';
import { BackLink } from '@/domain/BackLink';
import { normalizeTime } from '@/domain/schedule/hours';
import { TIME_INPUT } from '@/domain/schedule/timeInput';
import { useUser } from '@/domain/session/session';
import { SlotPicker } from '@/domain/slotPicker/SlotPicker';
import { formatDayTime, today as todayIn, zoneLabel } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { Button, LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { ErrorState } from '@/ui/ErrorState';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { FieldGroup } from '@/ui/Field';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { RadioGroup } from '@/ui/RadioGroup';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { Textarea } from '@/ui/Textarea';
import { TextInput } from '@/ui/TextInput';
import type { Form } from '@/ui/useForm';
import { PatientNotFound } from './PatientNotFound';
import styles from './patients.module.css';
import { type BookingValues, type TimeWarning, useDoctorBooking } from './useDoctorBooking';

/**
 * Book for a doctor's own patient, after a confirmation also at times that patients are not
 * offered.
 */
export default function BookForPatientPage() {
  const { t } = useLingui();
  const { id = '' } = useParams();
  const { data, error, isLoadingError, isFetching, refetch } = useQuery(patientQuery(id));
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Stack gap={5}>
        <BackLink href={paths.doctorPatients()}>{t`Patients`}</BackLink>
        <PatientNotFound />
      </Stack>
    );
  }
  if (data) return <BookingForm patient={data} />;
  return (
    <Stack gap={5}>
      <PageHeading>{t`Book an appointment`}</PageHeading>
      {isLoadingError ? (
        <ErrorState
          title={t`We couldn’t load this patient`}
          onRetry={() => refetch()}
          busy={isFetching}
        />
      ) : (
        <Skeletons count={1}>
          <Skeleton height={420} />
        </Skeletons>
      )}
    </Stack>
  );
}

function BookingForm({ patient }: { patient: PatientFacts }) {
  const { t } = useLingui();
  const { form, slot, timeWarning, firstDay, previousId } = useDoctorBooking(patient);
  const zone = useClinicZone();
  const [day, setDay] = useState(firstDay);
  const { name } = patient;
  const dayTime = slot && formatDayTime(slot.date, slot.time);
  const zoneName = zoneLabel(zone);
  const isOutsideHours = timeWarning !== null && !timeWarning.isFinal && timeWarning.isOutsideHours;
  const backPath = previousId
    ? paths.doctorAppointment(previousId)
    : paths.doctorPatient(patient._id);
  return (
    <Stack gap={5} className={styles.booking}>
      <ErrorSummary form={form} />
      <BackLink href={backPath}>{previousId ? t`Back to the appointment` : name}</BackLink>
      <PageHeading lead={t`Confirmed immediately. We’ll notify the patient.`}>
        {t`Book an appointment for ${name}`}
      </PageHeading>
      <Stack as="form" gap={5} noValidate onSubmit={form.onSubmit}>
        <h2 className="subheading">
          <Trans>Date and time</Trans>
        </h2>
        <RadioGroup
          name="timeSource"
          label={<span className="visually-hidden">{t`How to choose the time`}</span>}
          value={form.values.timeSource}
          onChange={(timeSource) =>
            form.set('timeSource', timeSource as BookingValues['timeSource'])
          }
          options={[
            { value: 'free', label: t`One of my openings` },
            { value: 'typed', label: t`Another date and time` },
          ]}
        />
        {form.values.timeSource === 'free' ? (
          <FreeSlotField form={form} day={day} onDay={setDay} />
        ) : (
          <CustomTimeFields form={form} timeWarning={timeWarning} />
        )}
        <div role="status">{timeWarning && <TimeWarningBanner timeWarning={timeWarning} />}</div>
        <Textarea
          {...form.field('symptoms')}
          label={t`Reason for the appointment`}
          hint={t`Visible to ${name}.`}
          optional
          rows={3}
        />
        <Card tight gap={3}>
          <p>
            {dayTime ? (
              <Trans>
                <strong>{name}</strong>, {dayTime} ({zoneName})
              </Trans>
            ) : (
              <Trans>
                <strong>{name}</strong>, no time chosen yet
              </Trans>
            )}
          </p>
          <Inline>
            <Button type="submit" busy={form.busy} busyLabel={t`Booking...`}>
              {isOutsideHours
                ? t`Book outside your hours`
                : t({ message: 'Book', context: 'verb' })}
            </Button>
            <LinkButton variant="secondary" href={backPath}>
              <Trans>Cancel</Trans>
            </LinkButton>
          </Inline>
        </Card>
      </Stack>
    </Stack>
  );
}

function useClinicZone(): string {
  const user = useUser();
  return user.role === 'doctor' ? user.timeZone : 'UTC';
}

interface FieldProps {
  form: Form<BookingValues>;
}

interface FreeSlotFieldProps extends FieldProps {
  day: string | null;
  onDay: (date: string) => void;
}

function FreeSlotField({ form, day, onDay }: FreeSlotFieldProps) {
  const { t } = useLingui();
  const user = useUser();
  const zone = useClinicZone();
  return (
    <FieldGroup
      name="slot"
      label={<span className="visually-hidden">{t`Free time`}</span>}
      error={form.errors.slot}
    >
      <SlotPicker
        doctor={{ _id: user._id, name: user.name, timeZone: zone }}
        day={day}
        onDay={onDay}
        onChoose={(slot) => form.set('slot', slot)}
        selectedSlot={form.values.slot}
        emptyState={
          <p>
            <Trans>
              You have no openings. Enter a date and a time, or see{' '}
              <Link href={paths.doctorSchedule}>your schedule</Link>.
            </Trans>
          </p>
        }
      />
    </FieldGroup>
  );
}

function CustomTimeFields({ form, timeWarning }: FieldProps & { timeWarning: TimeWarning | null }) {
  const { t } = useLingui();
  const zone = useClinicZone();
  const zoneName = zoneLabel(zone);
  const time = form.field('time');
  return (
    <Stack gap={2}>
      <Inline gap={4} align="start" className={styles.timeFields}>
        <TextInput {...form.field('date')} label={t`Date`} type="date" min={todayIn(zone)} />
        <TextInput
          {...TIME_INPUT}
          {...time}
          // Ignore the error of an earlier time.
          error={timeWarning && !timeWarning.isFinal ? undefined : time.error}
          label={t`Time`}
          onBlur={() => time.onChange(normalizeTime(time.value))}
        />
      </Inline>
      <p className="muted small">
        <Trans>{zoneName}, the clinic’s time.</Trans>
      </p>
    </Stack>
  );
}

function TimeWarningBanner({ timeWarning }: { timeWarning: TimeWarning }) {
  const { t } = useLingui();
  const { isFinal, isOutsideHours, sentence } = timeWarning;
  const title = isOutsideHours
    ? t`Outside your hours`
    : t`Patients can’t book this time themselves`;
  return (
    <Banner
      tone={isFinal ? 'error' : 'warning'}
      title={isFinal ? t`You can’t book this time` : title}
    >
      <p>
        {sentence}{' '}
        {!isFinal && isOutsideHours && (
          <Trans>You can still book it. We’ll mark it as outside your hours.</Trans>
        )}
      </p>
    </Banner>
  );
}
