import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { configQuery } from '@/api/queries';
import { useSession } from '@/domain/session/session';
import { paths, safeNext } from '@/lib/paths';
import { ROLE_LABELS } from '@/lib/roles';
import { Button } from '@/ui/Button';
import { Checkbox } from '@/ui/Checkbox';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { Select } from '@/ui/Select';
import { Spinner } from '@/ui/Spinner';
import { Stack } from '@/ui/Stack';
import type { Form } from '@/ui/useForm';
import { DoctorFields } from './DoctorFields';
import { PatientFields } from './PatientFields';
import { PendingBookingBanner, parseBookingPath } from './PendingBookingBanner';
import { PersonFields } from './PersonFields';
import { RedirectAfterLogin } from './RedirectAfterLogin';
import { type Registration, type RegistrationRole, summaryErrors } from './registration';
import { SwitchAuthLink } from './SwitchAuthLink';
import { useRegistrationForm } from './useRegistrationForm';

const ROLES: readonly RegistrationRole[] = ['patient', 'doctor'];

export default function RegisterPage() {
  const { t } = useLingui();
  const [params] = useSearchParams();
  const next = safeNext(params.get('next'));
  const choice = parseBookingPath(next);
  const session = useSession();
  const config = useQuery(configQuery).data;
  const minLength = config?.passwordMinLength ?? 6;
  const form = useRegistrationForm(params.get('role'), minLength);

  if (session.state === 'loading') return <Spinner />;
  // Also redirects after a successful registration.
  if (session.user) {
    const { role } = session.user;
    return <RedirectAfterLogin role={role} next={role === 'patient' ? next : null} />;
  }

  return (
    <Stack gap={5} className="column" data-narrow="">
      {choice && <PendingBookingBanner choice={choice} action="register" />}
      <ErrorSummary form={{ ...form, errors: summaryErrors(form.errors) }} />
      <PageHeading
        title={t`Create your account`}
        lead={
          <Trans>
            Already have an account?{' '}
            <SwitchAuthLink to={paths.login({ next: next ?? undefined })}>Sign in</SwitchAuthLink>
          </Trans>
        }
      >
        {t`Create your account`}
      </PageHeading>
      <Stack as="form" gap={6} noValidate onSubmit={form.onSubmit}>
        <Select
          {...form.field('role')}
          onChange={(role) => form.set('role', role as RegistrationRole)}
          label={t`Register as`}
          options={ROLES.map((role) => ({ value: role, label: t(ROLE_LABELS[role]) }))}
          hint={
            form.values.role === 'doctor' &&
            t`Patients can find you once we’ve verified your license.`
          }
        />
        <PersonFields form={form} minLength={minLength} />
        {form.values.role === 'patient' ? (
          <PatientFields form={form} />
        ) : (
          <DoctorFields form={form} />
        )}
        <Consent form={form} hasTerms={config?.texts?.includes('terms') ?? false} />
        <Button type="submit" wide busy={form.busy} busyLabel={t`Creating account...`}>
          {t`Create account`}
        </Button>
      </Stack>
    </Stack>
  );
}

function Consent({ form, hasTerms }: { form: Form<Registration>; hasTerms: boolean }) {
  return (
    <Checkbox
      {...form.field('agreedToPrivacy')}
      label={
        hasTerms ? (
          <Trans>
            I have read and agree to the <Link href={paths.terms}>terms of use</Link> and the{' '}
            <Link href={paths.privacy}>privacy policy</Link>
          </Trans>
        ) : (
          <Trans>
            I have read and agree to the <Link href={paths.privacy}>privacy policy</Link>
          </Trans>
        )
      }
    />
  );
}
