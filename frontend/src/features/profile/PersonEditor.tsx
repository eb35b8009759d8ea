import { useLingui } from '@lingui/react/macro';
import type { AdminUser, PatientUser } from '@/api/types';
import { countryOptions } from '@/lib/countries';
import { BLOOD_GROUPS } from '@/lib/options';
import { FormSection } from '@/ui/FormSection';
import { Select } from '@/ui/Select';
import { TextInput } from '@/ui/TextInput';
import { useForm } from '@/ui/useForm';
import { EditorFrame } from './EditorFrame';
import { useFactorProof } from './FactorProof';
import { PersonFields } from './PersonFields';
import { checkPerson, personValues, profileErrorMessage, useSaveProfile } from './profileForm';

/** The full editor of patients, and of admins, who have only the common fields. */
export function PersonEditor({ user }: { user: PatientUser | AdminUser }) {
  const { t } = useLingui();
  const proof = useFactorProof('email');
  const save = useSaveProfile(proof);
  const form = useForm({
    values: {
      ...personValues(user),
      ...(user.role === 'patient' && {
        'address.street': user.address.street,
        'address.city': user.address.city,
        'address.state': user.address.state,
        'address.zipCode': user.address.zipCode,
        'address.country': user.address.country,
        bloodGroup: user.bloodGroup as string,
      }),
    },
    validate: (values) => checkPerson(values, user, proof),
    submit: (values) => save(user, values),
    message: profileErrorMessage,
  });
  // Fields of patients only.
  const text = (
    name:
      | 'address.street'
      | 'address.city'
      | 'address.state'
      | 'address.zipCode'
      | 'address.country',
  ) => ({
    ...form.field(name),
    value: form.values[name] ?? '',
  });

  return (
    <EditorFrame form={form}>
      <PersonFields
        form={form}
        picture={user.profilePicture}
        email={user.email}
        proof={proof}
        optional={user.role === 'admin'}
      />
      {user.role === 'patient' && (
        <FormSection title={t`Address and blood group`}>
          <TextInput
            {...text('address.street')}
            label={t`Street`}
            optional
            autoComplete="street-address"
          />
          <TextInput
            {...text('address.city')}
            label={t`City`}
            optional
            autoComplete="address-level2"
          />
          <TextInput
            {...text('address.state')}
            label={t({ message: 'State', context: 'part of an address' })}
            optional
            autoComplete="address-level1"
          />
          <TextInput
            {...text('address.zipCode')}
            label={t`ZIP code`}
            optional
            short
            autoComplete="postal-code"
          />
          <Select
            {...text('address.country')}
            label={t`Country`}
            options={countryOptions()}
            autoComplete="country"
          />
          <Select
            {...form.field('bloodGroup')}
            value={form.values.bloodGroup ?? ''}
            label={t`Blood group`}
            optional
            options={BLOOD_GROUPS}
            placeholder={t`I don’t know`}
          />
        </FormSection>
      )}
    </EditorFrame>
  );
}
