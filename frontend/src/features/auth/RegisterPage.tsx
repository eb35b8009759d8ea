import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { messageOf } from '@/api/errors';
import { configQuery } from '@/api/queries';
import { register } from '@/api/session';
import { useSession } from '@/domain/session/session';
import { GENDERS } from '@/lib/options';
import { paths, safeNext } from '@/lib/paths';
import { getSiteSettings } from '@/lib/siteSettings';
import { Button } from '@/ui/Button';
import { Checkbox } from '@/ui/Checkbox';
import { DateField } from '@/ui/DateField';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { FormSection } from '@/ui/FormSection';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { PasswordInput } from '@/ui/PasswordInput';
import { RadioGroup } from '@/ui/RadioGroup';
import { Select } from '@/ui/Select';
import { Spinner } from '@/ui/Spinner';
import { Stack } from '@/ui/Stack';
import { TextInput } from '@/ui/TextInput';
import { useForm } from '@/ui/useForm';
import { DoctorFields } from './DoctorFields';
import { PatientFields } from './PatientFields';
import { PendingBookingBanner, parseBookingPath } from './PendingBookingBanner';
import { RedirectAfterLogin } from './RedirectAfterLogin';
import {
  checkRegistration,
  emptyRegistration,
  type RegistrationRole,
  registrationBody,
  summaryErrors,
} from './registration';
import {
  readRegistrationDraft,
  removeRegistrationDraft,
  useRegistrationDraft,
} from './registrationDraft';
import { SwitchAuthLink } from './SwitchAuthLink';

const ROLES = [
  { value: 'patient', label: 'Patient' },
  { value: 'doctor', label: 'Doctor' },
] as const;

export default function RegisterPage() {
  const [params] = useSearchParams();
  const next = safeNext(params.get('next'));
  const requestedRole = params.get('role');
  const choice = parseBookingPath(next);
  const session = useSession();
  const navigate = useNavigate();
  const config = useQuery(configQuery).data;
  const minLength = config?.passwordMinLength ?? 6;

  const [start] = useState(() => ({
    ...emptyRegistration,
    'address.country': getSiteSettings().defaultCountry,
    'hospital.address.country': getSiteSettings().defaultCountry,
    role: (requestedRole === 'doctor' ? 'doctor' : 'patient') as RegistrationRole,
    ...readRegistrationDraft(requestedRole),
  }));
  const form = useForm({
    values: start,
    validate: (values) => checkRegistration(values, minLength),
    submit: async (values) => {
      const { token, user } = await register(values.role, registrationBody(values));
      removeRegistrationDraft();
      if (token && user) session.signIn({ token, user });
      else navigate(paths.home);
    },
    message: (error) => messageOf(error, 'Registration failed'),
  });

  useRegistrationDraft(form.values, requestedRole, session.state === 'signed-out');

  if (session.state === 'loading') return <Spinner />;
  // Also redirects after a successful registration.
  if (session.user) {
    const { role } = session.user;
    return <RedirectAfterLogin role={role} next={role === 'patient' ? next : null} />;
  }

  return (
    <Stack gap={5} className="column" data-narrow="">
      {choice && <PendingBookingBanner choice={choice} action="Register" />}
      <ErrorSummary form={{ ...form, errors: summaryErrors(form.errors) }} />
      <PageHeading
        title="Create your account"
        lead={
          <>
            Have an account already?{' '}
            <SwitchAuthLink to={paths.login({ next: next ?? undefined })}>Sign in</SwitchAuthLink>
          </>
        }
      >
        Create your account
      </PageHeading>
      <Stack as="form" gap={6} noValidate onSubmit={form.onSubmit}>
        <Select
          {...form.field('role')}
          onChange={(role) => form.set('role', role as RegistrationRole)}
          label="Register as"
          options={ROLES}
          hint={
            form.values.role === 'doctor' &&
            'Patients can find you once we’ve verified your license.'
          }
        />
        <FormSection title="About you">
          <TextInput {...form.field('name')} label="Full name" autoComplete="name" />
          <TextInput
            {...form.field('email')}
            label="Email address"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
          />
          <TextInput
            {...form.field('phone')}
            label="Phone number"
            hint="Include the country code if it isn’t from the country of your address."
            type="tel"
            autoComplete="tel"
          />
          <DateField
            {...form.field('dateOfBirth')}
            label="Date of birth"
            hint="For example, 27 3 1985"
            birthday
          />
          <RadioGroup {...form.field('gender')} label="Gender" options={GENDERS} />
        </FormSection>
        <FormSection title="Password">
          <PasswordInput
            {...form.field('password')}
            label="Password"
            hint={`At least ${minLength} characters. Three random words are strong and easy to keep in mind.`}
            autoComplete="new-password"
          />
          <PasswordInput
            {...form.field('confirmPassword')}
            label="Confirm password"
            autoComplete="new-password"
          />
        </FormSection>
        {form.values.role === 'patient' ? (
          <PatientFields form={form} />
        ) : (
          <DoctorFields form={form} />
        )}
        <Checkbox
          {...form.field('agreedToPrivacy')}
          label={
            <>
              I have read and agree to the{' '}
              {config?.texts?.includes('terms') && (
                <>
                  <Link href={paths.terms}>terms of use</Link> and the{' '}
                </>
              )}
              <Link href={paths.privacy}>privacy policy</Link>
            </>
          }
        />
        <Button type="submit" wide busy={form.busy} busyLabel="Creating account...">
          Create account
        </Button>
      </Stack>
    </Stack>
  );
}
