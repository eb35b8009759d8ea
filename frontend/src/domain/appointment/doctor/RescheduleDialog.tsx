import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { proposeTime } from '@/api/appointments';
import { moveAppointment } from '@/api/doctorDesk';
import { hasCode, messageOf } from '@/api/errors';
import { invalidateAppointments, setAppointment } from '@/api/queries';
import type { Appointment } from '@/api/types';
import { isOutdated, reportFailedAction } from '@/domain/failedAction';
import type { Slot } from '@/domain/freeSlots';
import { useUser } from '@/domain/session/session';
import { SlotPicker } from '@/domain/slotPicker/SlotPicker';
import { telHref } from '@/lib/contact';
import { formatDayTime, isDate, today } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { FieldGroup } from '@/ui/Field';
import { Grid } from '@/ui/Grid';
import { Link } from '@/ui/Link';
import { RadioGroup } from '@/ui/RadioGroup';
import { Stack } from '@/ui/Stack';
import { Textarea } from '@/ui/Textarea';
import { TextInput } from '@/ui/TextInput';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';
import styles from './actions.module.css';
import { describeAppointment } from './subject';

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
/** Refusals of the time, not of the appointment: another time may do. */
const TIME_CODES = ['slot_taken', 'time_not_offered', 'patient_busy', 'already_booked'];

interface Values {
  how: 'propose' | 'move';
  from: 'free' | 'typed';
  slot: Slot | null;
  date: string;
  time: string;
  reason: string;
}

interface Props {
  appointment: Appointment;
  /** A time that was chosen before. */
  wanted?: Slot;
  /** What is in the way at that time; another one is to be chosen then. */
  obstacle?: string | null;
  onDone: () => void;
  onClose: () => void;
}

/** Propose another time to the patient, or move the appointment at once as agreed by phone. */
export function RescheduleDialog({ appointment, wanted, obstacle, onDone, onClose }: Props) {
  const user = useUser();
  const client = useQueryClient();
  const formId = useId();
  const { name, phone } = appointment.patient;
  const canPropose = appointment.proposal === null && appointment.cancelRequest === null;
  const [day, setDay] = useState<string | null>(wanted?.date ?? null);
  const form = useForm<Values>({
    values: {
      how: canPropose ? 'propose' : 'move',
      from: 'free',
      slot: (!obstacle && wanted) || null,
      date: wanted?.date ?? '',
      time: wanted?.time ?? '',
      reason: '',
    },
    validate: (values): Record<string, string> => {
      if (!isTyped(values)) return values.slot ? {} : { slot: 'Choose a time.' };
      return {
        ...(!isDate(values.date) && { date: 'Enter a date.' }),
        ...(!TIME.test(values.time) && { time: 'Enter a time, like 09:00.' }),
      };
    },
    submit: async (values) => {
      const slot = slotOf(values);
      if (!slot) return;
      const body = {
        appointmentDate: slot.date,
        appointmentTime: slot.time,
        reason: values.reason.trim(),
      };
      try {
        const { data } =
          values.how === 'propose'
            ? await proposeTime(appointment._id, body)
            : await moveAppointment(appointment._id, { ...body, outsideHours: isTyped(values) });
        toast.success(values.how === 'propose' ? 'New time proposed' : 'Appointment moved');
        // The closing dialog gives focus back first, to a button that is gone by now.
        flushSync(onClose);
        onDone();
        void setAppointment(client, data.appointment);
      } catch (error) {
        if (hasCode(error, ...TIME_CODES)) {
          form.set('slot', null);
          void client.invalidateQueries({ queryKey: ['slots', appointment.doctor._id] });
        } else if (isOutdated(error)) {
          reportFailedAction(error, {
            fallback: FAILED,
            about: describeAppointment(appointment),
            typed: values.reason,
          });
          onClose();
          void invalidateAppointments(client);
          return;
        }
        throw error;
      }
    },
    message: (error) => messageOf(error, FAILED),
  });
  const { values } = form;
  const chosen = slotOf(values);
  const when = chosen && formatDayTime(chosen.date, chosen.time);
  const zone = user.role === 'doctor' ? user.timeZone : appointment.timeZone;
  const isMove = values.how === 'move';
  return (
    <Dialog
      title="Reschedule"
      onClose={onClose}
      actions={
        <>
          <Button
            type="submit"
            form={formId}
            busy={form.busy}
            busyLabel={isMove ? 'Moving...' : 'Proposing...'}
          >
            {isMove ? (when ? `Move to ${when}` : 'Move') : when ? `Propose ${when}` : 'Propose'}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Go back
          </Button>
        </>
      }
    >
      <ErrorSummary form={form} />
      <Stack id={formId} as="form" noValidate onSubmit={form.onSubmit}>
        <p>
          {name}, now {formatDayTime(appointment.appointmentDate, appointment.appointmentTime)}.
          {phone && (
            <>
              {' '}
              <a href={telHref(phone)} className="nowrap">
                {phone}
              </a>
            </>
          )}
        </p>
        {canPropose && (
          <RadioGroup
            name="how"
            label="How"
            value={values.how}
            onChange={(how) => form.set('how', how as Values['how'])}
            options={[
              { value: 'propose', label: 'Propose a time to the patient' },
              { value: 'move', label: 'Move now (agreed by phone)' },
            ]}
          />
        )}
        <p className="muted">
          {isMove
            ? `The appointment is confirmed at the new time, and we’ll notify ${name}.`
            : `${appointment.status === 'pending' ? 'The request' : 'The appointment'} keeps its time until ${name} accepts. Accepting confirms the new time.`}
        </p>
        {wanted && obstacle && (
          <Banner tone="warning" title={`Not at ${formatDayTime(wanted.date, wanted.time)}`}>
            <p>{obstacle} Please choose another time.</p>
          </Banner>
        )}
        {isMove && (
          <RadioGroup
            name="from"
            label={<span className="visually-hidden">How to choose the time</span>}
            value={values.from}
            onChange={(from) => form.set('from', from as Values['from'])}
            options={[
              { value: 'free', label: 'One of my free times' },
              { value: 'typed', label: 'Another date and time' },
            ]}
          />
        )}
        {isTyped(values) ? (
          <>
            <Grid gap={3} className={styles.typed}>
              <TextInput {...form.field('date')} label="Date" type="date" min={today(zone)} />
              <TextInput {...form.field('time')} label="Time" type="time" />
            </Grid>
            <p className="muted small">
              It can be outside your hours, and is marked in your calendar then.
            </p>
          </>
        ) : (
          <FieldGroup name="slot" label="New time" error={form.errors.slot}>
            <div className={styles.picker}>
              <SlotPicker
                doctor={{
                  _id: appointment.doctor._id,
                  name: appointment.doctor.name,
                  timeZone: zone,
                }}
                day={day}
                onDay={setDay}
                onChoose={(slot) => form.set('slot', slot)}
                chosen={values.slot}
                none={
                  <p>
                    You have no free times. <Link href={paths.doctorSchedule}>Your schedule</Link>{' '}
                    says when you have some.
                  </p>
                }
              />
            </div>
          </FieldGroup>
        )}
        <Textarea
          {...form.field('reason')}
          label="Reason"
          hint={`Visible to ${name}.`}
          optional
          maxLength={500}
          rows={2}
        />
      </Stack>
    </Dialog>
  );
}

const FAILED = 'Failed to reschedule the appointment';

const isTyped = ({ how, from }: Values) => how === 'move' && from === 'typed';

function slotOf(values: Values): Slot | null {
  if (!isTyped(values)) return values.slot;
  return isDate(values.date) && TIME.test(values.time)
    ? { date: values.date, time: values.time }
    : null;
}
