import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { SlotPicker } from '@/domain/slotPicker/SlotPicker';
import { today } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { FieldGroup } from '@/ui/Field';
import { Grid } from '@/ui/Grid';
import { Link } from '@/ui/Link';
import { TextInput } from '@/ui/TextInput';
import type { Form } from '@/ui/useForm';
import styles from './actions.module.css';
import { isCustomTime, type RescheduleValues } from './useRescheduleForm';

interface Props {
  form: Form<RescheduleValues>;
  doctor: { _id: string; name: string; timeZone: string };
  /** The initially selected day. */
  initialDay: string | null;
}

/** The new time: one of the doctor's free times, or any date and time. */
export function NewTimeFields({ form, doctor, initialDay }: Props) {
  const { t } = useLingui();
  const [day, setDay] = useState(initialDay);
  if (isCustomTime(form.values)) {
    return (
      <>
        <Grid gap={3} className={styles.typed}>
          <TextInput
            {...form.field('date')}
            label={t`Date`}
            type="date"
            min={today(doctor.timeZone)}
          />
          <TextInput {...form.field('time')} label={t`Time`} type="time" />
        </Grid>
        <p className="muted small">
          <Trans>You can choose a time outside your hours. Your calendar will mark it.</Trans>
        </p>
      </>
    );
  }
  return (
    <FieldGroup name="slot" label={t`New time`} error={form.errors.slot}>
      <div className={styles.picker}>
        <SlotPicker
          doctor={doctor}
          day={day}
          onDay={setDay}
          onChoose={(slot) => form.set('slot', slot)}
          selectedSlot={form.values.slot}
          emptyState={
            <p>
              <Trans>
                You have no openings. Add some in{' '}
                <Link href={paths.doctorSchedule}>your schedule</Link>.
              </Trans>
            </p>
          }
        />
      </div>
    </FieldGroup>
  );
}
