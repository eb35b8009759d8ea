import { useQuery } from '@tanstack/react-query';
import { configQuery } from '@/api/queries';
import { countryOptions } from '@/lib/countries';
import { capitalize } from '@/lib/names';
import { SPECIALIZATIONS, WEEKDAYS } from '@/lib/options';
import { CheckboxGroup } from '@/ui/CheckboxGroup';
import { FormSection } from '@/ui/FormSection';
import { Select } from '@/ui/Select';
import { Textarea } from '@/ui/Textarea';
import { TextInput } from '@/ui/TextInput';
import type { Form } from '@/ui/useForm';
import { REQUIRED_DOCTOR_FIELDS, type Registration } from './registration';

const DAYS = WEEKDAYS.map((day) => ({ value: day, label: capitalize(day) }));

const { names } = REQUIRED_DOCTOR_FIELDS;

export function DoctorFields({ form }: { form: Form<Registration> }) {
  const currency = useQuery(configQuery).data?.currency ?? 'USD';
  return (
    <>
      <FormSection title="Your practice">
        <Select
          {...form.field('specialization')}
          label={names.specialization}
          options={SPECIALIZATIONS}
          placeholder="Choose one"
        />
        <TextInput
          {...form.field('experience')}
          label={names.experience}
          type="number"
          inputMode="numeric"
          min={0}
          short
        />
        <TextInput
          {...form.field('licenseNumber')}
          label={names.licenseNumber}
          hint="We check it before patients can find you. It is never shown."
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          {...form.field('consultationFee')}
          label={`${names.consultationFee} (${currency})`}
          type="number"
          inputMode="decimal"
          min={0}
          step={0.01}
          short
        />
        <Textarea
          {...form.field('bio')}
          label="Bio"
          hint="What patients should know about you and how you work."
          optional
        />
      </FormSection>
      <FormSection title="Hospital or practice">
        <TextInput
          {...form.field('hospital.name')}
          label="Hospital name"
          autoComplete="organization"
        />
        <TextInput {...form.field('hospital.address.street')} label="Hospital street" optional />
        <TextInput {...form.field('hospital.address.city')} label="Hospital city" optional />
        <TextInput {...form.field('hospital.address.state')} label="Hospital state" optional />
        <TextInput
          {...form.field('hospital.address.zipCode')}
          label="Hospital ZIP code"
          optional
          short
        />
        <Select
          {...form.field('hospital.address.country')}
          label="Hospital country"
          options={countryOptions()}
        />
        <TextInput {...form.field('hospital.phone')} label="Hospital phone" type="tel" optional />
      </FormSection>
      <FormSection
        title="Working times"
        hint="Left blank, these are Monday to Friday, 09:00 to 18:00. You can change them later."
      >
        <TextInput
          {...form.field('workingHours.start')}
          label="Working hours start"
          type="time"
          optional
          short
        />
        <TextInput
          {...form.field('workingHours.end')}
          label="Working hours end"
          type="time"
          optional
          short
        />
        <CheckboxGroup
          {...form.field('workingDays')}
          label="Working days"
          optional
          options={DAYS}
        />
      </FormSection>
    </>
  );
}
