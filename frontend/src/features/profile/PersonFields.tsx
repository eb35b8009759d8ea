import { useLingui } from '@lingui/react/macro';
import { genderOptions } from '@/domain/genderLabel';
import { exampleBirthDate } from '@/lib/validate';
import { DateField } from '@/ui/DateField';
import { FormSection } from '@/ui/FormSection';
import { RadioGroup } from '@/ui/RadioGroup';
import { TextInput } from '@/ui/TextInput';
import type { Form } from '@/ui/useForm';
import { EmailField } from './EmailField';
import type { FactorProofState } from './FactorProof';
import { PictureField } from './PictureField';
import type { PersonValues } from './profileForm';

/** The fields of every role. */
export function PersonFields<V extends PersonValues>({
  form,
  picture,
  email,
  proof,
  optional = false,
}: {
  form: Form<V>;
  /** Required to change the address if there is a second step. */
  proof: FactorProofState;
  /** The current address. */
  email: string;
  picture: string | null;
  /** Phone and birth date are optional. */
  optional?: boolean;
}) {
  const { t } = useLingui();
  const example = exampleBirthDate();
  // Every V has these fields, which TypeScript cannot infer through the generic.
  const person = form as unknown as Form<PersonValues>;
  return (
    <FormSection title={t`About you`}>
      <PictureField
        name={person.values.name}
        current={picture}
        file={person.values.image}
        isRemoved={person.values.removeImage}
        error={form.errors.image}
        onChange={(image, removeImage) => person.setAll({ image, removeImage })}
      />
      <TextInput {...person.field('name')} label={t`Full name`} autoComplete="name" />
      <EmailField form={person} email={email} proof={proof} />
      <TextInput
        {...person.field('phone')}
        label={t`Phone number`}
        type="tel"
        autoComplete="tel"
        optional={optional}
      />
      <RadioGroup {...person.field('gender')} label={t`Gender`} options={genderOptions()} />
      <DateField
        {...person.field('dateOfBirth')}
        label={t`Date of birth`}
        hint={t`For example, ${example}`}
        birthday
        optional={optional}
      />
    </FormSection>
  );
}
