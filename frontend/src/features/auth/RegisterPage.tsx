import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { register } from '@/api/calls';
import { messageOf } from '@/api/errors';
import { configQuery } from '@/api/queries';
import { useSession } from '@/domain/session/session';
import { GENDERS } from '@/lib/options';
import { paths, safeNext } from '@/lib/paths';
import { Button } from '@/ui/Button';
import { Checkbox, RadioGroup } from '@/ui/choices';
import { DateBoxes } from '@/ui/DateBoxes';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { FormSection } from '@/ui/FormSection';
import { PasswordInput, Select, TextInput } from '@/ui/inputs';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { Spinner } from '@/ui/Spinner';
import { useForm } from '@/ui/useForm';
import styles from './auth.module.css';
import { BookingAhead, choiceIn } from './BookingAhead';
import { DoctorFields } from './DoctorFields';
import { GoOn } from './GoOn';
import { OtherWay } from './OtherWay';
import { PatientFields } from './PatientFields';
import {
  checkRegistration,
  emptyRegistration,
  namedInSummary,
  type RegistrationRole,
  registrationBody,
} from './registration';

const ROLES = [
  { value: 'patient', label: 'Patient' },
  { value: 'doctor', label: 'Doctor' },
] as const;

export default function RegisterPage() {
  const [params] = useSearchParams();
  const next = safeNext(params.get('next'));
  const choice = choiceIn(next);
  const session = useSession();
  const navigate = useNavigate();
  const minLength = useQuery(configQuery).data?.passwordMinLength ?? 6;

  const form = useForm({
    values: {
      ...emptyRegistration,
      role: (params.get('role') === 'doctor' ? 'doctor' : 'patient') as RegistrationRole,
    },
    validate: (values) => checkRegistration(values, minLength),
    submit: async (values) => {
      const { token, user } = await register(values.role, registrationBody(values));
      if (token && user) session.signIn({ token, user });
      else navigate(paths.home);
    },
    message: (error) => messageOf(error, 'Registration failed'),
  });

  if (session.state === 'loading') return <Spinner />;
  // Also the way on after a successful registration.
  if (session.user) {
    const { role } = session.user;
    return <GoOn role={role} next={role === 'patient' ? next : null} />;
  }

  return (
    <div className={styles.column}>
      {choice && <BookingAhead choice={choice} act="Register" />}
      <ErrorSummary form={{ ...form, errors: namedInSummary(form.errors) }} />
      <PageHeading
        title="Create your account"
        lead={
          <>
            Have an account already?{' '}
            <OtherWay to={paths.login({ next: next ?? undefined })}>Sign in</OtherWay>
          </>
        }
      >
        Create your account
      </PageHeading>
      <form className="stack" data-gap="6" noValidate onSubmit={form.onSubmit}>
        <Select
          {...form.field('role')}
          onChange={(role) => form.set('role', role as RegistrationRole)}
          label="Register as"
          options={ROLES}
          hint={
            form.values.role === 'doctor' &&
            'Patients can find you once we have checked your licence.'
          }
        />
        <FormSection title="About you">
          <TextInput {...form.field('name')} label="Full name" autoComplete="name" />
          <TextInput
            {...form.field('email')}
            label="E-mail address"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
          />
          <TextInput
            {...form.field('phone')}
            label="Phone number"
            hint="With the country code when it is not a local one."
            type="tel"
            autoComplete="tel"
          />
          <DateBoxes
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
              I have read and agree to the <Link href={paths.privacy}>privacy policy</Link>
            </>
          }
        />
        <Button type="submit" wide busy={form.busy} busyLabel="Creating account...">
          Create account
        </Button>
      </form>
    </div>
  );
}
