import type { Week } from '@/api/types';
import { appointmentStarts } from '@/domain/schedule/hours';
import { capitalize } from '@/lib/names';
import { WEEKDAYS } from '@/lib/options';
import { Checkbox } from '@/ui/Checkbox';
import { FormSection } from '@/ui/FormSection';
import { Grid } from '@/ui/Grid';
import { Select } from '@/ui/Select';
import { TextInput } from '@/ui/TextInput';
import type { Form } from '@/ui/useForm';
import type { Draft } from './draft';
import styles from './schedule.module.css';

const ZONES = Intl.supportedValuesOf('timeZone');

const NOTICE_OPTIONS = [
  [0, 'None'],
  [30, '30 minutes'],
  [60, '1 hour'],
  [120, '2 hours'],
  [240, '4 hours'],
  [720, '12 hours'],
  [1440, '1 day'],
  [2880, '2 days'],
  [4320, '3 days'],
  [10_080, '1 week'],
] as const;

/** The duration of appointments, and when they can be booked. */
export function BookingRules({ form }: { form: Form<Draft> }) {
  const { values } = form;
  const notice: { value: string; label: string }[] = NOTICE_OPTIONS.map(([minutes, label]) => ({
    value: String(minutes),
    label,
  }));
  if (!notice.some(({ value }) => value === values.minNoticeMinutes)) {
    notice.push({ value: values.minNoticeMinutes, label: `${values.minNoticeMinutes} minutes` });
  }
  return (
    <FormSection title="Appointments">
      <Grid gap={5} align="end" className={styles.rules}>
        <TextInput
          {...form.field('visitMinutes')}
          label="Appointment length"
          hint="Minutes, 5 to 240."
          type="number"
          inputMode="numeric"
          min={5}
          max={240}
          step={5}
        />
        <TextInput
          {...form.field('bufferMinutes')}
          label="Buffer between appointments"
          hint="Minutes, 0 for none."
          type="number"
          inputMode="numeric"
          min={0}
          max={240}
          step={5}
        />
        <Select
          {...form.field('minNoticeMinutes')}
          label="Minimum notice"
          hint="How long before an appointment patients can still book it."
          options={notice}
        />
        <TextInput
          {...form.field('maxDaysAhead')}
          label="Booking window"
          hint="How many days ahead patients can book, 1 to 730."
          type="number"
          inputMode="numeric"
          min={1}
          max={730}
        />
      </Grid>
      <p className={styles.summary} role="status">
        {startsText(values.weeklyHours, values.visitMinutes, values.bufferMinutes)}
      </p>
      <p className="muted small">
        A new length or buffer applies to new bookings. Existing appointments keep the length and
        buffer they were booked with; your calendar shows that buffer as a striped tail.
      </p>
      <Checkbox
        {...form.field('instantConfirmation')}
        label="Confirm bookings automatically"
        hint="Otherwise you approve each request, and patients can only request times at least 60 minutes ahead."
        optional
      />
      <div className={styles.timeZone}>
        <TextInput
          {...form.field('cancelCutoffHours')}
          label="Patients can cancel up to this many hours before"
          hint="0 means until the start. Leave it empty if patients should always ask you."
          optional="unmarked"
          type="number"
          inputMode="numeric"
          min={0}
          max={672}
        />
      </div>
      <div className={styles.timeZone}>
        <Select
          {...form.field('timeZone')}
          label="Time zone"
          hint="All times on this page are on the clock of this zone."
          options={ZONES.includes(values.timeZone) ? ZONES : [values.timeZone, ...ZONES]}
        />
      </div>
    </FormSection>
  );
}

/**
 * Describe the slots of a day: "On Mondays appointments start at 09:00, 09:40, 10:20 …, the last at
 * 16:20."
 */
export function startsText(week: Week, appointmentText: string, bufferText: string): string {
  const [appointment, buffer] = [Number(appointmentText), Number(bufferText)];
  const day = WEEKDAYS.find(
    (each) => appointmentStarts(week[each], appointment, buffer).length > 0,
  );
  if (!day) return 'With these hours no appointment can be booked.';
  const starts = appointmentStarts(week[day], appointment, buffer);
  const on = `On ${capitalize(day)}s appointments start at`;
  if (starts.length <= 4) return `${on} ${starts.join(', ')}.`;
  return `${on} ${starts.slice(0, 3).join(', ')} …, the last at ${starts.at(-1)}.`;
}
