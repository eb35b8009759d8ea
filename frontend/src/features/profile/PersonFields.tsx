import { GENDERS } from '@/lib/options';
import { RadioGroup } from '@/ui/choices';
import { DateBoxes } from '@/ui/DateBoxes';
import { FormSection } from '@/ui/FormSection';
import { TextInput } from '@/ui/inputs';
import type { Form } from '@/ui/useForm';
import type { PersonValues } from './editing';
import { PictureField } from './PictureField';

/** The fields that every role has. */
export function PersonFields<V extends PersonValues>({
  form,
  picture,
  optional = false,
}: {
  form: Form<V>;
  picture: string | null;
  /** Phone and birth date may stay empty. */
  optional?: boolean;
}) {
  // The fields named here are in every V; TypeScript cannot see that through the generic.
  const person = form as unknown as Form<PersonValues>;
  return (
    <FormSection title="About you">
      <PictureField
        name={person.values.name}
        current={picture}
        chosen={person.values.image}
        removed={person.values.removeImage}
        error={form.errors.image}
        onChange={(image, removeImage) => person.setAll({ image, removeImage })}
      />
      <TextInput {...person.field('name')} label="Full name" autoComplete="name" />
      <TextInput
        {...person.field('phone')}
        label="Phone number"
        type="tel"
        autoComplete="tel"
        optional={optional}
      />
      <RadioGroup {...person.field('gender')} label="Gender" options={GENDERS} />
      <DateBoxes
        {...person.field('dateOfBirth')}
        label="Date of birth"
        hint="For example, 27 3 1985"
        birthday
        optional={optional}
      />
    </FormSection>
  );
}
