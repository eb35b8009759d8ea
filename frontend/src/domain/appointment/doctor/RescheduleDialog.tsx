import { useId } from 'react';
import type { Appointment } from '@/api/types';
import type { Slot } from '@/domain/freeSlots';
import { useUser } from '@/domain/session/session';
import { telHref } from '@/lib/contact';
import { formatDayTime } from '@/lib/dates';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { RadioGroup } from '@/ui/RadioGroup';
import { Stack } from '@/ui/Stack';
import { Textarea } from '@/ui/Textarea';
import { NewTimeFields } from './NewTimeFields';
import { canPropose, type RescheduleValues, slotOf, useRescheduleForm } from './useRescheduleForm';

interface Props {
  appointment: Appointment;
  /** An initially selected time. */
  initialSlot?: Slot;
  /** The conflict at that time; another time must then be chosen. */
  conflict?: string | null;
  onDone: () => void;
  onClose: () => void;
}

/** Propose another time to the patient, or move the appointment at once as agreed by phone. */
export function RescheduleDialog({ appointment, initialSlot, conflict, onDone, onClose }: Props) {
  const user = useUser();
  const formId = useId();
  const isSlotBlocked = Boolean(conflict);
  const form = useRescheduleForm({ appointment, initialSlot, isSlotBlocked, onDone, onClose });
  const { values } = form;
  const { doctor } = appointment;
  const { name, phone } = appointment.patient;
  const zone = user.role === 'doctor' ? user.timeZone : appointment.timeZone;
  const isMove = values.action === 'move';
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
            {submitLabel(values)}
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
        {canPropose(appointment) && (
          <RadioGroup
            name="action"
            label="How"
            value={values.action}
            onChange={(action) => form.set('action', action as RescheduleValues['action'])}
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
        {initialSlot && conflict && (
          <Banner
            tone="warning"
            title={`Not at ${formatDayTime(initialSlot.date, initialSlot.time)}`}
          >
            <p>{conflict} Please choose another time.</p>
          </Banner>
        )}
        {isMove && (
          <RadioGroup
            name="timeSource"
            label={<span className="visually-hidden">How to choose the time</span>}
            value={values.timeSource}
            onChange={(source) => form.set('timeSource', source as RescheduleValues['timeSource'])}
            options={[
              { value: 'free', label: 'One of my free times' },
              { value: 'typed', label: 'Another date and time' },
            ]}
          />
        )}
        <NewTimeFields
          form={form}
          doctor={{ _id: doctor._id, name: doctor.name, timeZone: zone }}
          initialDay={initialSlot?.date ?? null}
        />
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

function submitLabel(values: RescheduleValues): string {
  const slot = slotOf(values);
  const time = slot && formatDayTime(slot.date, slot.time);
  if (values.action === 'move') return time ? `Move to ${time}` : 'Move';
  return time ? `Propose ${time}` : 'Propose';
}
