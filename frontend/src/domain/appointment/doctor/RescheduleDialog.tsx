import { Trans, useLingui } from '@lingui/react/macro';
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
  const { t } = useLingui();
  const user = useUser();
  const formId = useId();
  const isSlotBlocked = Boolean(conflict);
  const form = useRescheduleForm({ appointment, initialSlot, isSlotBlocked, onDone, onClose });
  const { values } = form;
  const { doctor } = appointment;
  const { name, phone } = appointment.patient;
  const zone = user.role === 'doctor' ? user.timeZone : appointment.timeZone;
  const isMove = values.action === 'move';
  const slot = slotOf(values);
  const newTime = slot && formatDayTime(slot.date, slot.time);
  const isRequest = appointment.status === 'pending';
  const currentTime = formatDayTime(appointment.appointmentDate, appointment.appointmentTime);
  const blockedTime = initialSlot && formatDayTime(initialSlot.date, initialSlot.time);
  return (
    <Dialog
      title={t`Reschedule`}
      onClose={onClose}
      actions={
        <>
          <Button
            type="submit"
            form={formId}
            busy={form.busy}
            busyLabel={isMove ? t`Moving...` : t`Sending...`}
          >
            {isMove
              ? newTime
                ? t`Move to ${newTime}`
                : t`Move`
              : newTime
                ? t`Suggest ${newTime}`
                : t`Suggest a time`}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            <Trans>Go back</Trans>
          </Button>
        </>
      }
    >
      <ErrorSummary form={form} />
      <Stack id={formId} as="form" noValidate onSubmit={form.onSubmit}>
        <p>
          <Trans>
            {name}, currently {currentTime}
          </Trans>
          {phone && (
            <>
              <br />
              <a href={telHref(phone)} className="nowrap">
                {phone}
              </a>
            </>
          )}
        </p>
        {canPropose(appointment) && (
          <RadioGroup
            name="action"
            label={t`How`}
            value={values.action}
            onChange={(action) => form.set('action', action as RescheduleValues['action'])}
            options={[
              { value: 'propose', label: t`Suggest a time to the patient` },
              { value: 'move', label: t`Move now (agreed by phone)` },
            ]}
          />
        )}
        <p className="muted">
          {isMove
            ? t`The appointment will be confirmed at the new time, and we’ll notify ${name}.`
            : isRequest
              ? t`The request stays at its current time until ${name} accepts. Accepting confirms the new time.`
              : t`The appointment stays at its current time until ${name} accepts. Accepting confirms the new time.`}
        </p>
        {blockedTime && conflict && (
          <Banner tone="warning" title={t`${blockedTime} isn’t available`}>
            <p>
              {conflict} <Trans>Please choose another time.</Trans>
            </p>
          </Banner>
        )}
        {isMove && (
          <RadioGroup
            name="timeSource"
            label={<span className="visually-hidden">{t`How to choose the time`}</span>}
            value={values.timeSource}
            onChange={(source) => form.set('timeSource', source as RescheduleValues['timeSource'])}
            options={[
              { value: 'free', label: t`One of my openings` },
              { value: 'typed', label: t`Another date and time` },
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
          label={t`Reason`}
          hint={t`Visible to ${name}.`}
          optional
          maxLength={500}
          rows={2}
        />
      </Stack>
    </Dialog>
  );
}
