import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { proposeTime } from '@/api/calls';
import { ApiError, messageOf } from '@/api/errors';
import { forgetVisits, placeVisit } from '@/api/queries';
import type { Appointment } from '@/api/types';
import type { Slot } from '@/domain/freeTimes';
import { SlotPicker } from '@/domain/SlotPicker';
import { useUser } from '@/domain/session/session';
import { formatDayTime } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { FieldGroup } from '@/ui/Field';
import { Textarea } from '@/ui/inputs';
import { Link } from '@/ui/Link';
import { notify } from '@/ui/notices';
import { useForm } from '@/ui/useForm';
import styles from './acts.module.css';

interface Props {
  visit: Appointment;
  /** A time that was chosen before. */
  wanted?: Slot;
  /** What is in the way at that time; another one is to be chosen then. */
  obstacle?: string | null;
  onDone: () => void;
  onClose: () => void;
}

/** Choose one of the doctor's own free times for a visit and offer it to the patient. */
export function ProposeDialog({ visit, wanted, obstacle, onDone, onClose }: Props) {
  const user = useUser();
  const client = useQueryClient();
  const formId = useId();
  const [day, setDay] = useState<string | null>(wanted?.date ?? null);
  const form = useForm<{ slot: Slot | null; reason: string }>({
    values: { slot: (!obstacle && wanted) || null, reason: '' },
    validate: ({ slot }): Record<string, string> => (slot ? {} : { slot: 'Choose a time.' }),
    submit: async ({ slot, reason }) => {
      if (!slot) return;
      try {
        const { data } = await proposeTime(visit._id, {
          appointmentDate: slot.date,
          appointmentTime: slot.time,
          reason: reason.trim(),
        });
        notify.success('New time proposed');
        // The closing dialog gives focus back first, to a button that is gone by now.
        flushSync(onClose);
        onDone();
        void placeVisit(client, data.appointment);
      } catch (error) {
        if (error instanceof ApiError && !error.isOutage) {
          // The time or the visit is not what is shown.
          form.set('slot', null);
          void forgetVisits(client);
        }
        throw error;
      }
    },
    message: (error) => messageOf(error, 'Failed to propose the time'),
  });
  const { slot } = form.values;
  const doctor = {
    _id: visit.doctor._id,
    name: visit.doctor.name,
    timeZone: user.role === 'doctor' ? user.timeZone : visit.timeZone,
  };
  return (
    <Dialog
      title="Propose another time"
      onClose={onClose}
      actions={
        <>
          <Button type="submit" form={formId} busy={form.busy} busyLabel="Proposing...">
            {slot ? `Propose ${formatDayTime(slot.date, slot.time)}` : 'Propose'}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            Go back
          </Button>
        </>
      }
    >
      <ErrorSummary form={form} />
      <form id={formId} className="stack" noValidate onSubmit={form.onSubmit}>
        <p>
          {visit.patient.name}, now {formatDayTime(visit.appointmentDate, visit.appointmentTime)}.
          The visit keeps this time until the patient accepts.
        </p>
        {wanted && obstacle && (
          <Banner tone="warning" title={`Not at ${formatDayTime(wanted.date, wanted.time)}`}>
            <p>{obstacle} Please choose another time.</p>
          </Banner>
        )}
        <FieldGroup name="slot" label="New time" error={form.errors.slot}>
          <div className={styles.picker}>
            <SlotPicker
              doctor={doctor}
              day={day}
              onDay={setDay}
              onChoose={(chosen) => form.set('slot', chosen)}
              chosen={slot}
              none={
                <p>
                  You have no free times. <Link href={paths.doctorSchedule}>Your schedule</Link>{' '}
                  says when you have some.
                </p>
              }
            />
          </div>
        </FieldGroup>
        <Textarea
          {...form.field('reason')}
          label="Reason"
          hint="The patient reads it."
          optional
          maxLength={500}
          rows={2}
        />
      </form>
    </Dialog>
  );
}
