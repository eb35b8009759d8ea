import type { AdminUser, PatientUser } from '@/api/types';
import { BLOOD_GROUPS } from '@/lib/options';
import { FormSection } from '@/ui/FormSection';
import { Select, TextInput } from '@/ui/inputs';
import { useForm } from '@/ui/useForm';
import { EditorFrame } from './EditorFrame';
import { checkPerson, personValues, profileFailure, useSaveProfile } from './editing';
import { PersonFields } from './PersonFields';

/** The full editor of patients, and of admins, who have the common fields alone. */
export function PersonEditor({ user }: { user: PatientUser | AdminUser }) {
  const save = useSaveProfile();
  const form = useForm({
    values: {
      ...personValues(user),
      ...(user.role === 'patient' && {
        'address.street': user.address.street,
        'address.city': user.address.city,
        'address.state': user.address.state,
        'address.zipCode': user.address.zipCode,
        bloodGroup: user.bloodGroup as string,
      }),
    },
    validate: (values) => checkPerson(values, user.role),
    submit: (values) => save(user, values),
    message: profileFailure,
  });
  // Only a patient's form has these.
  const text = (name: 'address.street' | 'address.city' | 'address.state' | 'address.zipCode') => ({
    ...form.field(name),
    value: form.values[name] ?? '',
  });

  return (
    <EditorFrame form={form} email={user.email}>
      <PersonFields form={form} picture={user.profilePicture} optional={user.role === 'admin'} />
      {user.role === 'patient' && (
        <FormSection title="Address and blood group">
          <TextInput
            {...text('address.street')}
            label="Street"
            optional
            autoComplete="street-address"
          />
          <TextInput
            {...text('address.city')}
            label="City"
            optional
            autoComplete="address-level2"
          />
          <TextInput
            {...text('address.state')}
            label="State"
            optional
            autoComplete="address-level1"
          />
          <TextInput
            {...text('address.zipCode')}
            label="ZIP code"
            optional
            short
            autoComplete="postal-code"
          />
          <Select
            {...form.field('bloodGroup')}
            value={form.values.bloodGroup ?? ''}
            label="Blood group"
            optional
            options={BLOOD_GROUPS}
            placeholder="I do not know"
          />
        </FormSection>
      )}
    </EditorFrame>
  );
}
