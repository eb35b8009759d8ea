import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useNavigate } from 'react-router-dom';
import { updateProfile } from '@/api/calls';
import { ApiError, messageOf } from '@/api/errors';
import { configQuery } from '@/api/queries';
import type { PatientUser } from '@/api/types';
import { useSession, useUser } from '@/domain/session/session';
import { ageOn, isDate } from '@/lib/dates';
import { GENDERS } from '@/lib/options';
import { checkBirthDate, checkEmail, checkPhone, complaints } from '@/lib/validate';
import { Button } from '@/ui/Button';
import { RadioGroup } from '@/ui/choices';
import { DateBoxes } from '@/ui/DateBoxes';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { PasswordInput, TextInput } from '@/ui/inputs';
import { notify } from '@/ui/notices';
import { PageHeading } from '@/ui/PageHeading';
import { useForm } from '@/ui/useForm';
import styles from './profile.module.css';

// Rarely there.
const WaitingEmail = lazy(() => import('./WaitingEmail'));

/** The address as the server writes it on one line; sent back unchanged, it changes nothing. */
function onOneLine({ street, city, state, zipCode }: PatientUser['address']): string {
  return [street, city, state, zipCode].filter(Boolean).join(', ');
}

function valuesOf(user: PatientUser) {
  return {
    name: user.name,
    email: user.email,
    currentPassword: '',
    phone: user.phone,
    gender: user.gender as string,
    dateOfBirth: user.dateOfBirth ?? '',
    address: onOneLine(user.address),
    profilePicture: '',
  };
}

/** The short form: everything on one page, the address on one line, the picture by its link. */
export default function SimpleProfilePage() {
  const user = useUser() as PatientUser;
  const { setUser } = useSession();
  const navigate = useNavigate();
  const { data: config } = useQuery(configQuery);

  const form = useForm({
    values: valuesOf(user),
    validate: (values) =>
      complaints({
        name: values.name.trim() ? undefined : 'Enter your full name',
        email: checkEmail(values.email),
        currentPassword:
          values.email.trim() !== user.email && !values.currentPassword
            ? 'Enter your current password to change the e-mail address'
            : undefined,
        phone: checkPhone(values.phone),
        gender: values.gender ? undefined : 'Choose your gender',
        dateOfBirth: checkBirthDate(values.dateOfBirth),
        profilePicture:
          values.profilePicture && !values.profilePicture.trim().startsWith('https://')
            ? 'Enter a link that starts with https://'
            : undefined,
      }),
    submit: async (values) => {
      const { currentPassword, profilePicture, ...rest } = values;
      const answer = await updateProfile({
        ...rest,
        email: values.email.trim(),
        ...(currentPassword && { currentPassword }),
        ...(profilePicture.trim() && { profilePicture: profilePicture.trim() }),
      });
      setUser(answer.data.user);
      form.reset(valuesOf(answer.data.user as PatientUser));
      notify.success('Profile updated successfully!');
    },
    message: (error) =>
      error instanceof ApiError && error.status > 0
        ? messageOf(error, 'Failed to update profile')
        : 'Failed to update profile. Please try again.',
  });
  const { email, dateOfBirth } = form.values;

  return (
    <div className={styles.page}>
      <ErrorSummary form={form} />
      <PageHeading>Edit Profile</PageHeading>
      {(user.pendingEmail || !user.emailConfirmed) && (
        <Suspense>
          <WaitingEmail user={user} />
        </Suspense>
      )}
      <form className="stack" data-gap="5" noValidate onSubmit={form.onSubmit}>
        <TextInput {...form.field('name')} label="Name" autoComplete="name" />
        <TextInput
          {...form.field('email')}
          label="E-mail address"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
        />
        {email.trim() !== user.email && (
          <PasswordInput
            {...form.field('currentPassword')}
            label="Current password"
            hint="A new e-mail address counts once you open the link that we send there."
            autoComplete="current-password"
          />
        )}
        <TextInput
          {...form.field('phone')}
          label="Phone number"
          type="tel"
          autoComplete="tel"
          optional
        />
        <RadioGroup {...form.field('gender')} label="Gender" options={GENDERS} />
        <DateBoxes
          {...form.field('dateOfBirth')}
          label="Date of birth"
          hint="For example, 27 3 1985"
          birthday
        />
        <TextInput
          name="age"
          label="Age"
          hint="Worked out from your date of birth."
          value={isDate(dateOfBirth) ? String(ageOn(dateOfBirth)) : ''}
          onChange={() => {}}
          readOnly
          short
          optional="unmarked"
        />
        <TextInput
          {...form.field('address')}
          label="Address"
          hint="On one line."
          optional
          autoComplete="street-address"
        />
        {config?.policies.pictureLinks !== false && (
          <TextInput
            {...form.field('profilePicture')}
            label="Profile picture URL"
            hint="A link that starts with https://. We fetch the picture once and keep our own copy; left blank, yours stays."
            type="url"
            inputMode="url"
            autoComplete="off"
            optional
          />
        )}
        <div className="row">
          <Button type="submit" busy={form.busy} busyLabel="Updating...">
            Update Profile
          </Button>
          <Button variant="secondary" onClick={() => navigate(-1)}>
            Cancel
          </Button>
        </div>
      </form>
    </div>
  );
}
