import { useLingui } from '@lingui/react/macro';
import { DateField } from '@/ui/DateField';
import { Disclosure } from '@/ui/Disclosure';
import { Stack } from '@/ui/Stack';
import { TextInput } from '@/ui/TextInput';
import type { Form } from '@/ui/useForm';
import type { DecisionValues } from './case';

/** The license as verified by staff, collapsed unless it differs from the claim. */
export function LicenseFields({ form }: { form: Form<DecisionValues> }) {
  const { t } = useLingui();
  const hasErrors = Object.keys(form.errors).some((name) => name.startsWith('license'));
  return (
    <Disclosure summary={t`Correct the license`} open={hasErrors || undefined}>
      <Stack>
        <TextInput {...form.field('licenseNumber')} label={t`License number`} maxLength={64} />
        <TextInput
          {...form.field('licenseAuthority')}
          label={t`Issued by`}
          optional
          maxLength={120}
        />
        <TextInput {...form.field('licenseRegion')} label={t`Region`} optional maxLength={100} />
        <DateField {...form.field('licenseExpiresOn')} label={t`Valid until`} optional />
      </Stack>
    </Disclosure>
  );
}
