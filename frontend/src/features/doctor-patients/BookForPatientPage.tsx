import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { bookForPatient, patientQuery } from '@/api/doctorDesk';
import { ApiError, hasCode, messageOf } from '@/api/errors';
import { invalidateAppointments } from '@/api/queries';
import { explainTime, scheduleQuery } from '@/api/schedule';
import type { PatientFacts } from '@/api/types';
import { BackLink } from '@/domain/BackLink';
import type { Slot } from '@/domain/freeSlots';
import { tidyTime } from '@/domain/schedule/hours';
import { TIME_INPUT } from '@/domain/schedule/timeInput';
import { unavailableReason } from '@/domain/schedule/unavailableReason';
import { useUser } from '@/domain/session/session';
import { SlotPicker } from '@/domain/slotPicker/SlotPicker';
import { formatDayTime, isDate, today as todayIn, zoneLabel } from '@/lib/dates';
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
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';
import { PatientNotFound } from './PatientNotFound';
import styles from './patients.module.css';

/** Book for one's own patient, also at times that patients are not offered, after saying so. */
export default function BookForPatientPage() {
  const { id = '' } = useParams();
  const { data, error, isLoadingError, isFetching, refetch } = useQuery(patientQuery(id));
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Stack gap={5}>
        <BackLink href={paths.doctorPatients()}>Patients</BackLink>
        <PatientNotFound />
      </Stack>
    );
  }
  if (data) return <BookingForm patient={data} />;
  return (
    <Stack gap={5}>
      <PageHeading>Book an appointment</PageHeading>
      {isLoadingError ? (
        <ErrorState
          title="We could not load this patient"
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

interface Values {
  how: 'free' | 'typed';
  slot: Slot | null;
  date: string;
  time: string;
  symptoms: string;
}

/** What a doctor may pass over, and what of it lies outside the hours. */
const OVERRULED = ['too_soon', 'too_far', 'day_off', 'outside_hours', 'off_grid'];
const OUTSIDE = ['day_off', 'outside_hours', 'off_grid'];

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const MOST = 2000;

function BookingForm({ patient }: { patient: PatientFacts }) {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const client = useQueryClient();
  const user = useUser();
  const asked = { date: params.get('date') ?? '', time: params.get('time') ?? '' };
  const given = isDate(asked.date) && TIME.test(asked.time);
  const from = params.get('from');
  const [day, setDay] = useState<string | null>(isDate(asked.date) ? asked.date : null);
  const zone = user.role === 'doctor' ? user.timeZone : 'UTC';

  const form = useForm<Values>({
    values: {
      how: given ? 'typed' : 'free',
      slot: null,
      date: isDate(asked.date) ? asked.date : '',
      time: given ? asked.time : '',
      symptoms: '',
    },
    validate: (values) => {
      const errors: Record<string, string> = {};
      if (values.how === 'free') {
        if (!values.slot) errors.slot = 'Choose a time.';
      } else {
        if (!isDate(values.date)) errors.date = 'Enter a date.';
        if (!TIME.test(tidyTime(values.time))) errors.time = 'Enter a time, like 09:00.';
        if (verdict?.refused) errors.time = 'Choose a time that can be booked.';
      }
      if (values.symptoms.trim().length > MOST) errors.symptoms = 'Use 2,000 characters or fewer';
      return errors;
    },
    submit: async () => {
      if (!chosen) return;
      try {
        const { data } = await bookForPatient(patient._id, {
          appointmentDate: chosen.date,
          appointmentTime: chosen.time,
          symptoms: form.values.symptoms.trim(),
          outsideHours: verdict !== null,
        });
        toast.success(`Appointment booked for ${patient.name}`);
        void invalidateAppointments(client);
        navigate(paths.doctorAppointment(from ?? data.appointment._id), { replace: true });
      } catch (error) {
        // What was said about the time is not true any more.
        if (hasCode(error, 'time_not_offered', 'slot_taken')) {
          if (form.values.how === 'free') form.set('slot', null);
          void client.invalidateQueries({ queryKey: ['slots', user._id] });
        }
        throw error;
      }
    },
    message: (error) => messageOf(error, 'Failed to book appointment'),
  });
  const { values } = form;
  const typedTime = tidyTime(values.time);
  const typed: Slot | null =
    isDate(values.date) && TIME.test(typedTime) ? { date: values.date, time: typedTime } : null;
  const chosen = values.how === 'free' ? values.slot : typed;

  // The schedule's own answer about a typed time.
  const judged = useQuery({
    queryKey: ['slots', user._id, 'explain', typed],
    queryFn: () => explainTime(user._id, typed ?? { date: '', time: '' }),
    enabled: values.how === 'typed' && typed !== null,
    staleTime: 10_000,
  });
  const schedule = useQuery({ ...scheduleQuery, enabled: values.how === 'typed' });
  const reason = values.how === 'typed' && judged.data ? (judged.data.reason ?? null) : null;
  const verdict = reason
    ? {
        refused: !OVERRULED.includes(reason),
        outside: OUTSIDE.includes(reason),
        sentence: sentenceOf(
          typed && schedule.data ? unavailableReason(reason, typed, schedule.data) : 'not offered.',
        ),
      }
    : null;

  const time = form.field('time');
  const outside = verdict !== null && !verdict.refused && verdict.outside;
  return (
    <Stack gap={5} className={styles.booking}>
      <ErrorSummary form={form} />
      {from ? (
        <BackLink href={paths.doctorAppointment(from)}>Back to the appointment</BackLink>
      ) : (
        <BackLink href={paths.doctorPatient(patient._id)}>{patient.name}</BackLink>
      )}
      <PageHeading lead="Confirmed immediately. We’ll notify the patient.">
        {`Book an appointment for ${patient.name}`}
      </PageHeading>
      <Stack as="form" gap={5} noValidate onSubmit={form.onSubmit}>
        <h2 className="subheading">Date and time</h2>
        <RadioGroup
          name="how"
          label={<span className="visually-hidden">How to choose the time</span>}
          value={values.how}
          onChange={(how) => form.set('how', how as Values['how'])}
          options={[
            { value: 'free', label: 'One of my free times' },
            { value: 'typed', label: 'Another date and time' },
          ]}
        />
        {values.how === 'free' ? (
          <FieldGroup
            name="slot"
            label={<span className="visually-hidden">Free time</span>}
            error={form.errors.slot}
          >
            <SlotPicker
              doctor={{ _id: user._id, name: user.name, timeZone: zone }}
              day={day}
              onDay={setDay}
              onChoose={(slot) => form.set('slot', slot)}
              chosen={values.slot}
              none={
                <p>
                  You have no free times. Type a date and a time, or see{' '}
                  <Link href={paths.doctorSchedule}>your schedule</Link>.
                </p>
              }
            />
          </FieldGroup>
        ) : (
          <Stack gap={2}>
            <Inline gap={4} align="start" className={styles.timeFields}>
              <TextInput {...form.field('date')} label="Date" type="date" min={todayIn(zone)} />
              <TextInput
                {...TIME_INPUT}
                {...time}
                // What was wrong with an earlier time says nothing about this one.
                error={verdict && !verdict.refused ? undefined : time.error}
                label="Time"
                onBlur={() => time.onChange(tidyTime(time.value))}
              />
            </Inline>
            <p className="muted small">{zoneLabel(zone)}, on the clinic’s clock.</p>
          </Stack>
        )}
        <div role="status">
          {verdict && (
            <Banner
              tone={verdict.refused ? 'error' : 'warning'}
              title={
                verdict.refused
                  ? 'This time can’t be booked'
                  : verdict.outside
                    ? 'Outside your hours'
                    : 'Patients can’t book this time themselves'
              }
            >
              <p>
                {verdict.sentence}
                {outside && ' You can still book it; it will be marked.'}
              </p>
            </Banner>
          )}
        </div>
        <Textarea
          {...form.field('symptoms')}
          label="Reason for the appointment"
          hint={`Visible to ${patient.name}.`}
          optional
          rows={3}
        />
        <Card tight gap={3}>
          <p>
            <strong>{patient.name}</strong>
            {chosen
              ? `, ${formatDayTime(chosen.date, chosen.time)} (${zoneLabel(zone)})`
              : ', no time chosen yet'}
          </p>
          <Inline>
            <Button type="submit" busy={form.busy} busyLabel="Booking...">
              {outside ? 'Book outside your hours' : 'Book'}
            </Button>
            <LinkButton
              variant="secondary"
              href={from ? paths.doctorAppointment(from) : paths.doctorPatient(patient._id)}
            >
              Cancel
            </LinkButton>
          </Inline>
        </Card>
      </Stack>
    </Stack>
  );
}

const sentenceOf = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1);
