import { useLingui } from '@lingui/react/macro';
import type { Week } from '@/api/types';
import { durationText } from '@/domain/schedule/duration';
import { appointmentStarts, weekdayLabel } from '@/domain/schedule/hours';
import { formatTime } from '@/lib/dates';
import { formatList } from '@/lib/formatList';
import { orderedWeekdays } from '@/lib/weekStart';
import { Checkbox } from '@/ui/Checkbox';
import { FormSection } from '@/ui/FormSection';
import { Grid } from '@/ui/Grid';
import { Select } from '@/ui/Select';
import { TextInput } from '@/ui/TextInput';
import type { Form } from '@/ui/useForm';
import type { Draft } from './draft';
import styles from './schedule.module.css';

const ZONES = Intl.supportedValuesOf('timeZone');

const NOTICE_MINUTES = [0, 30, 60, 120, 240, 720, 1440, 2880, 4320, 10_080];

/** The duration of appointments, and when they can be booked. */
export function BookingRules({ form }: { form: Form<Draft> }) {
  const { t } = useLingui();
  const { values } = form;
  const currentNotice = Number(values.minNoticeMinutes);
  const notices = NOTICE_MINUTES.includes(currentNotice)
    ? NOTICE_MINUTES
    : [...NOTICE_MINUTES, currentNotice];
  return (
    <FormSection title={t`Appointments`}>
      <Grid gap={5} align="end" className={styles.rules}>
        <TextInput
          {...form.field('visitMinutes')}
          label={t`Appointment length`}
          hint={t`Minutes, 5 to 240.`}
          type="number"
          inputMode="numeric"
          min={5}
          max={240}
          step={5}
        />
        <TextInput
          {...form.field('bufferMinutes')}
          label={t`Buffer between appointments`}
          hint={t`Minutes, 0 for none.`}
          type="number"
          inputMode="numeric"
          min={0}
          max={240}
          step={5}
        />
        <Select
          {...form.field('minNoticeMinutes')}
          label={t`Minimum notice`}
          hint={t`How long before an appointment patients can still book it.`}
          options={notices.map((minutes) => ({
            value: String(minutes),
            label:
              minutes === 0
                ? t({ message: 'None', context: 'minimum notice' })
                : durationText(minutes),
          }))}
        />
        <TextInput
          {...form.field('maxDaysAhead')}
          label={t`Booking window`}
          hint={t`How many days ahead patients can book, 1 to 730.`}
          type="number"
          inputMode="numeric"
          min={1}
          max={730}
        />
      </Grid>
      <p className={styles.summary} role="status">
        <StartTimes
          week={values.weeklyHours}
          appointment={Number(values.visitMinutes)}
          buffer={Number(values.bufferMinutes)}
        />
      </p>
      <p className="muted small">
        {t`A new length or buffer applies to new bookings. Existing appointments keep the length and buffer they were booked with. Your calendar shows the buffer as a striped area.`}
      </p>
      <Checkbox
        {...form.field('instantConfirmation')}
        label={t`Confirm bookings automatically`}
        hint={t`Otherwise you approve each request, and patients can only request times at least 60 minutes ahead.`}
        optional
      />
      <div className={styles.timeZone}>
        <TextInput
          {...form.field('cancelCutoffHours')}
          label={t`Patients can cancel up to this many hours before`}
          hint={t`Enter 0 to allow it until the start. Leave it blank if patients should always ask you.`}
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
          label={t`Time zone`}
          hint={t`All times on this page are in this time zone.`}
          options={ZONES.includes(values.timeZone) ? ZONES : [values.timeZone, ...ZONES]}
        />
      </div>
    </FormSection>
  );
}

interface StartTimesProps {
  week: Week;
  appointment: number;
  buffer: number;
}

/** The slots of a day: "Monday: appointments start at 09:00, 09:40, 10:20 …, the last at 16:20." */
function StartTimes({ week, appointment, buffer }: StartTimesProps) {
  const { t } = useLingui();
  const day = orderedWeekdays().find(
    (each) => appointmentStarts(week[each], appointment, buffer).length > 0,
  );
  if (!day) return t`These hours leave no room for an appointment.`;
  const weekday = weekdayLabel(day);
  const starts = appointmentStarts(week[day], appointment, buffer).map(formatTime);
  if (starts.length <= 4) {
    const times = formatList(starts);
    return t`${weekday}: appointments start at ${times}.`;
  }
  const [first, second, third] = starts;
  const last = starts.at(-1);
  return t`${weekday}: appointments start at ${first}, ${second}, ${third} …, the last at ${last}.`;
}
