import { useLingui } from '@lingui/react/macro';
import { countryOptions } from '@/lib/countries';
import { BLOOD_GROUPS } from '@/lib/options';
import { FormSection } from '@/ui/FormSection';
import { Select } from '@/ui/Select';
import { TextInput } from '@/ui/TextInput';
import type { Form } from '@/ui/useForm';
import type { Registration } from './registration';

export function PatientFields({ form }: { form: Form<Registration> }) {
  const { t } = useLingui();
  return (
    <FormSection title={t`Address and blood group`} hint={t`You can add these later.`}>
      <TextInput
        {...form.field('address.street')}
        label={t`Street`}
        optional
        autoComplete="street-address"
      />
      <TextInput
        {...form.field('address.city')}
        label={t`City`}
        optional
        autoComplete="address-level2"
      />
      <TextInput
        {...form.field('address.state')}
        label={t({ message: 'State', context: 'part of an address' })}
        optional
        autoComplete="address-level1"
      />
      <TextInput
        {...form.field('address.zipCode')}
        label={t`ZIP code`}
        optional
        short
        autoComplete="postal-code"
      />
      <Select
        {...form.field('address.country')}
        label={t`Country`}
        options={countryOptions()}
        autoComplete="country"
      />
      <Select
        {...form.field('bloodGroup')}
        label={t`Blood group`}
        optional
        options={BLOOD_GROUPS}
        placeholder={t`I don’t know`}
      />
    </FormSection>
  );
}
