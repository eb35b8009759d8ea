import { countryOptions } from '@/lib/countries';
import { BLOOD_GROUPS } from '@/lib/options';
import { FormSection } from '@/ui/FormSection';
import { Select } from '@/ui/Select';
import { TextInput } from '@/ui/TextInput';
import type { Form } from '@/ui/useForm';
import type { Registration } from './registration';

export function PatientFields({ form }: { form: Form<Registration> }) {
  return (
    <FormSection title="Address and blood group" hint="You can leave these for later.">
      <TextInput
        {...form.field('address.street')}
        label="Street"
        optional
        autoComplete="street-address"
      />
      <TextInput
        {...form.field('address.city')}
        label="City"
        optional
        autoComplete="address-level2"
      />
      <TextInput
        {...form.field('address.state')}
        label="State"
        optional
        autoComplete="address-level1"
      />
      <TextInput
        {...form.field('address.zipCode')}
        label="ZIP code"
        optional
        short
        autoComplete="postal-code"
      />
      <Select
        {...form.field('address.country')}
        label="Country"
        options={countryOptions()}
        autoComplete="country"
      />
      <Select
        {...form.field('bloodGroup')}
        label="Blood group"
        optional
        options={BLOOD_GROUPS}
        placeholder="I don’t know"
      />
    </FormSection>
  );
}
