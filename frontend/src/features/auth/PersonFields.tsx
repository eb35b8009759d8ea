import { useLingui } from '@lingui/react/macro';
import { genderOptions } from '@/domain/genderLabel';
import { exampleBirthDate } from '@/lib/validate';
import { DateField } from '@/ui/DateField';
import { FormSection } from '@/ui/FormSection';
import { PasswordInput } from '@/ui/PasswordInput';
import { RadioGroup } from '@/ui/RadioGroup';
import { TextInput } from '@/ui/TextInput';
import type { Form } from '@/ui/useForm';
import type { Registration } from './registration';

/** The fields of patients and doctors. */
export function PersonFields({
  form,
  minLength,
}: {
  form: Form<Registration>;
  /** The shortest password. */
  minLength: number;
}) {
  const { t } = useLingui();
  const example = exampleBirthDate();
  return (
    <>
      <FormSection title={t`About you`}>
        <TextInput {...form.field('name')} label={t`Full name`} autoComplete="name" />
        <TextInput
          {...form.field('email')}
          label={t`Email address`}
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextInput
          {...form.field('phone')}
          label={t`Phone number`}
          hint={t`Include the country code if it isn’t from the country of your address.`}
          type="tel"
          autoComplete="tel"
        />
        <DateField
          {...form.field('dateOfBirth')}
          label={t`Date of birth`}
          hint={t`For example, ${example}`}
          birthday
        />
        <RadioGroup {...form.field('gender')} label={t`Gender`} options={genderOptions()} />
      </FormSection>
      <FormSection title={t`Password`}>
        <PasswordInput
          {...form.field('password')}
          label={t`Password`}
          hint={t`At least ${minLength} characters. Three random words are strong and easy to remember.`}
          autoComplete="new-password"
        />
        <PasswordInput
          {...form.field('confirmPassword')}
          label={t`Confirm password`}
          autoComplete="new-password"
        />
      </FormSection>
    </>
  );
}
