import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { configQuery } from '@/api/queries';
import { weekdayOptions, workingDays } from '@/domain/weekdays';
import { countryOptions } from '@/lib/countries';
import { formatTime } from '@/lib/dates';
import { WEEKDAYS } from '@/lib/options';
import { specializationOptions } from '@/lib/specializations';
import { CheckboxGroup } from '@/ui/CheckboxGroup';
import { FormSection } from '@/ui/FormSection';
import { Select } from '@/ui/Select';
import { Textarea } from '@/ui/Textarea';
import { TextInput } from '@/ui/TextInput';
import type { Form } from '@/ui/useForm';
import { REQUIRED_DOCTOR_FIELDS, type Registration } from './registration';

/** The hours of doctors who enter none. */
const DEFAULT_HOURS = { days: WEEKDAYS.slice(0, 5), start: '09:00', end: '18:00' };

export function DoctorFields({ form }: { form: Form<Registration> }) {
  const { t } = useLingui();
  const currency = useQuery(configQuery).data?.currency ?? 'USD';
  const [start, end] = [formatTime(DEFAULT_HOURS.start), formatTime(DEFAULT_HOURS.end)];
  const days = workingDays(DEFAULT_HOURS.days);
  return (
    <>
      <FormSection title={t`Your practice`}>
        <Select
          {...form.field('specialization')}
          label={t(REQUIRED_DOCTOR_FIELDS.specialization)}
          options={specializationOptions()}
          placeholder={t`Choose one`}
        />
        <TextInput
          {...form.field('experience')}
          label={t(REQUIRED_DOCTOR_FIELDS.experience)}
          type="number"
          inputMode="numeric"
          min={0}
          short
        />
        <TextInput
          {...form.field('licenseNumber')}
          label={t(REQUIRED_DOCTOR_FIELDS.licenseNumber)}
          hint={t`We verify it before patients can find you. Patients never see it.`}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          {...form.field('consultationFee')}
          label={t`Consultation fee (${currency})`}
          type="number"
          inputMode="decimal"
          min={0}
          step={0.01}
          short
        />
        <Textarea
          {...form.field('bio')}
          label={t`Bio`}
          hint={t`What patients should know about you and how you work.`}
          optional
        />
      </FormSection>
      <FormSection title={t`Hospital or practice`}>
        <TextInput
          {...form.field('hospital.name')}
          label={t`Hospital name`}
          autoComplete="organization"
        />
        <TextInput {...form.field('hospital.address.street')} label={t`Hospital street`} optional />
        <TextInput {...form.field('hospital.address.city')} label={t`Hospital city`} optional />
        <TextInput {...form.field('hospital.address.state')} label={t`Hospital state`} optional />
        <TextInput
          {...form.field('hospital.address.zipCode')}
          label={t`Hospital ZIP code`}
          optional
          short
        />
        <Select
          {...form.field('hospital.address.country')}
          label={t`Hospital country`}
          options={countryOptions()}
        />
        <TextInput
          {...form.field('hospital.phone')}
          label={t`Hospital phone`}
          type="tel"
          optional
        />
      </FormSection>
      <FormSection
        title={t`Working times`}
        hint={t`If you leave these blank, we’ll set ${days}, ${start} to ${end}. You can change them later.`}
      >
        <TextInput
          {...form.field('workingHours.start')}
          label={t`Working hours start`}
          type="time"
          optional
          short
        />
        <TextInput
          {...form.field('workingHours.end')}
          label={t`Working hours end`}
          type="time"
          optional
          short
        />
        <CheckboxGroup
          {...form.field('workingDays')}
          label={t`Working days`}
          optional
          options={weekdayOptions()}
        />
      </FormSection>
    </>
  );
}
