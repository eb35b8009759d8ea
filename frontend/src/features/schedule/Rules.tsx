import type { Week } from '@/api/types';
import { visitStarts } from '@/domain/schedule/hours';
import { capitalize } from '@/lib/names';
import { WEEKDAYS } from '@/lib/options';
import { Checkbox } from '@/ui/choices';
import { FormSection } from '@/ui/FormSection';
import { Select, TextInput } from '@/ui/inputs';
import type { Form } from '@/ui/useForm';
import type { Draft } from './draft';
import styles from './schedule.module.css';

const ZONES = Intl.supportedValuesOf('timeZone');

const NOTICE = [
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

/** How long visits take, and when they may be booked. */
export function Rules({ form }: { form: Form<Draft> }) {
  const { values } = form;
  const notice: { value: string; label: string }[] = NOTICE.map(([minutes, label]) => ({
    value: String(minutes),
    label,
  }));
  if (!notice.some(({ value }) => value === values.minNoticeMinutes)) {
    notice.push({ value: values.minNoticeMinutes, label: `${values.minNoticeMinutes} minutes` });
  }
  return (
    <FormSection title="Visits">
      <div className={styles.rules}>
        <TextInput
          {...form.field('visitMinutes')}
          label="Visit length"
          hint="Minutes, 5 to 240."
          type="number"
          inputMode="numeric"
          min={5}
          max={240}
          step={5}
        />
        <TextInput
          {...form.field('bufferMinutes')}
          label="Pause after a visit"
          hint="Minutes that stay free, 0 for none."
          type="number"
          inputMode="numeric"
          min={0}
          max={240}
          step={5}
        />
        <Select
          {...form.field('minNoticeMinutes')}
          label="Notice"
          hint="Least time before a visit."
          options={notice}
        />
        <TextInput
          {...form.field('maxDaysAhead')}
          label="How far ahead"
          hint="Days, 1 to 730."
          type="number"
          inputMode="numeric"
          min={1}
          max={730}
        />
      </div>
      <p className={styles.sentence} role="status">
        {startsSentence(values.weeklyHours, values.visitMinutes, values.bufferMinutes)}
      </p>
      <Checkbox
        {...form.field('instantConfirmation')}
        label="Confirm bookings at once"
        hint="Otherwise each booking waits for your answer."
        optional
      />
      <div className={styles.zone}>
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

/** "On Monday, visits start at 09:00, 09:40, 10:20 … and the last at 16:20." */
export function startsSentence(week: Week, visitText: string, bufferText: string): string {
  const [visit, buffer] = [Number(visitText), Number(bufferText)];
  const day = WEEKDAYS.find((each) => visitStarts(week[each], visit, buffer).length > 0);
  if (!day) return 'With these hours no visit can be booked.';
  const starts = visitStarts(week[day], visit, buffer);
  const on = `On ${capitalize(day)}s visits start at`;
  if (starts.length <= 4) return `${on} ${starts.join(', ')}.`;
  return `${on} ${starts.slice(0, 3).join(', ')} …, the last at ${starts.at(-1)}.`;
}
