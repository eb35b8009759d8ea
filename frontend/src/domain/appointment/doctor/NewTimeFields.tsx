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
  const [day, setDay] = useState(initialDay);
  if (isCustomTime(form.values)) {
    return (
      <>
        <Grid gap={3} className={styles.typed}>
          <TextInput
            {...form.field('date')}
            label="Date"
            type="date"
            min={today(doctor.timeZone)}
          />
          <TextInput {...form.field('time')} label="Time" type="time" />
        </Grid>
        <p className="muted small">
          It can be outside your hours, and is marked in your calendar then.
        </p>
      </>
    );
  }
  return (
    <FieldGroup name="slot" label="New time" error={form.errors.slot}>
      <div className={styles.picker}>
        <SlotPicker
          doctor={doctor}
          day={day}
          onDay={setDay}
          onChoose={(slot) => form.set('slot', slot)}
          selectedSlot={form.values.slot}
          emptyState={
            <p>
              You have no free times. <Link href={paths.doctorSchedule}>Your schedule</Link> says
              when you have some.
            </p>
          }
        />
      </div>
    </FieldGroup>
  );
}
