import { DateBoxes } from '@/ui/DateBoxes';
import { Disclosure } from '@/ui/Disclosure';
import { TextInput } from '@/ui/inputs';
import type { Form } from '@/ui/useForm';
import type { DecisionValues } from './case';

/** The licence as staff verified it, folded away until something of it is not as claimed. */
export function LicenseFields({ form }: { form: Form<DecisionValues> }) {
  const refused = Object.keys(form.errors).some((name) => name.startsWith('license'));
  return (
    <Disclosure summary="Correct the licence" open={refused || undefined}>
      <div className="stack">
        <TextInput {...form.field('licenseNumber')} label="Licence number" maxLength={64} />
        <TextInput {...form.field('licenseAuthority')} label="Authority" optional maxLength={120} />
        <TextInput {...form.field('licenseRegion')} label="Region" optional maxLength={100} />
        <DateBoxes {...form.field('licenseExpiresOn')} label="Expires" optional />
      </div>
    </Disclosure>
  );
}
