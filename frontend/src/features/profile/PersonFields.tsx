import { GENDERS } from '@/lib/options';
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
  // Every V has these fields, which TypeScript cannot infer through the generic.
  const person = form as unknown as Form<PersonValues>;
  return (
    <FormSection title="About you">
      <PictureField
        name={person.values.name}
        current={picture}
        file={person.values.image}
        isRemoved={person.values.removeImage}
        error={form.errors.image}
        onChange={(image, removeImage) => person.setAll({ image, removeImage })}
      />
      <TextInput {...person.field('name')} label="Full name" autoComplete="name" />
      <EmailField form={person} email={email} proof={proof} />
      <TextInput
        {...person.field('phone')}
        label="Phone number"
        type="tel"
        autoComplete="tel"
        optional={optional}
      />
      <RadioGroup {...person.field('gender')} label="Gender" options={GENDERS} />
      <DateField
        {...person.field('dateOfBirth')}
        label="Date of birth"
        hint="For example, 27 3 1985"
        birthday
        optional={optional}
      />
    </FormSection>
  );
}
