import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useNavigate } from 'react-router-dom';
import { ApiError } from '@/api/errors';
import type { FactorBody } from '@/api/mfa';
import { updateProfile } from '@/api/profile';
import { configQuery } from '@/api/queries';
import type { Gender, PatientUser } from '@/api/types';
import { genderOptions } from '@/domain/genderLabel';
import { passkeyErrorMessage } from '@/domain/session/passkeyErrorMessage';
import { useSession, useUser } from '@/domain/session/session';
import { ageOn, isDate } from '@/lib/dates';
import { PasskeyError } from '@/lib/passkey';
import { paths } from '@/lib/paths';
import { joinAddress, splitAddress } from '@/lib/postalAddress';
import {
  checkBirthDate,
  checkEmail,
  checkPhone,
  exampleBirthDate,
  withoutEmpty,
} from '@/lib/validate';
import { Button } from '@/ui/Button';
import { DateField } from '@/ui/DateField';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Grid } from '@/ui/Grid';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { PasswordInput } from '@/ui/PasswordInput';
import { RadioGroup } from '@/ui/RadioGroup';
import { Stack } from '@/ui/Stack';
import { TextInput } from '@/ui/TextInput';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';
import { FactorFields, type FactorProofState, useFactorProof } from './FactorProof';
import styles from './profile.module.css';

// Loaded only if an email address is unconfirmed.
const PendingEmail = lazy(() => import('./PendingEmail'));

function toFormValues(user: PatientUser) {
  return {
    name: user.name,
    email: user.email,
    currentPassword: '',
    phone: user.phone,
    gender: user.gender as string,
    dateOfBirth: user.dateOfBirth ?? '',
    address: joinAddress(user.address),
    profilePicture: '',
  };
}

type Values = ReturnType<typeof toFormValues>;

function check(values: Values, user: PatientUser, proof: FactorProofState): Record<string, string> {
  const changesEmail = values.email.trim() !== user.email;
  return {
    ...withoutEmpty({
      name: values.name.trim() ? undefined : t`Enter your full name`,
      email: checkEmail(values.email),
      currentPassword:
        changesEmail && !values.currentPassword
          ? t`Enter your current password to change your email address`
          : undefined,
      phone: checkPhone(values.phone),
      gender: values.gender ? undefined : t`Choose your gender`,
      dateOfBirth: checkBirthDate(values.dateOfBirth),
      profilePicture:
        values.profilePicture && !values.profilePicture.trim().startsWith('https://')
          ? t`Enter a link that starts with https://`
          : undefined,
    }),
    ...(changesEmail && proof.check()),
  };
}

/** The form; a change of the email address needs the password and a second factor. */
function useSimpleProfileForm(user: PatientUser) {
  const { setUser } = useSession();
  const proof = useFactorProof('email');
  const form = useForm({
    values: toFormValues(user),
    validate: (values) => check(values, user, proof),
    submit: async (values) => {
      const { currentPassword, profilePicture, gender, ...rest } = values;
      const email = values.email.trim();
      const update = (factor: FactorBody) =>
        updateProfile({
          ...rest,
          email,
          gender: gender as Gender,
          ...(currentPassword && { currentPassword }),
          ...(profilePicture.trim() && { profilePicture: profilePicture.trim() }),
          ...factor,
        });
      const { data } = await (email === user.email ? update({}) : proof.submitWithFactor(update));
      setUser(data.user);
      form.reset(toFormValues(data.user as PatientUser));
      toast.success(t`Profile updated successfully!`);
    },
    message: (error) =>
      error instanceof PasskeyError || (error instanceof ApiError && error.status > 0)
        ? passkeyErrorMessage(error, t`Failed to update profile`)
        : t`Failed to update profile. Please try again.`,
  });
  return { form, proof };
}

/** The short form: one page, with the address on one line and the picture as a link. */
export default function SimpleProfilePage() {
  const { t } = useLingui();
  const example = exampleBirthDate();
  const user = useUser() as PatientUser;
  const navigate = useNavigate();
  const { data: config } = useQuery(configQuery);
  const { form, proof } = useSimpleProfileForm(user);
  const { email, dateOfBirth } = form.values;

  return (
    <Stack gap={5} className="column">
      <ErrorSummary form={form} />
      <PageHeading
        lead={
          <Trans>
            This is the short form. <Link href={paths.editProfile}>Edit everything</Link>
          </Trans>
        }
      >
        {t`Edit Profile`}
      </PageHeading>
      {(user.pendingEmail || !user.emailConfirmed) && (
        <Suspense>
          <PendingEmail user={user} />
        </Suspense>
      )}
      <Stack as="form" gap={5} noValidate onSubmit={form.onSubmit}>
        <TextInput {...form.field('name')} label={t`Name`} autoComplete="name" />
        <TextInput
          {...form.field('email')}
          label={t`Email address`}
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
        />
        {email.trim() !== user.email && (
          <>
            <PasswordInput
              {...form.field('currentPassword')}
              label={t`Current password`}
              hint={t`We’ll email you there. Until you confirm the address, you sign in with the old one.`}
              autoComplete="current-password"
            />
            <FactorFields proof={proof} errors={form.errors} />
          </>
        )}
        <TextInput
          {...form.field('phone')}
          label={t`Phone number`}
          type="tel"
          autoComplete="tel"
          optional
        />
        <RadioGroup {...form.field('gender')} label={t`Gender`} options={genderOptions()} />
        <DateField
          {...form.field('dateOfBirth')}
          label={t`Date of birth`}
          hint={t`For example, ${example}`}
          birthday
        />
        <TextInput
          name="age"
          label={t`Age`}
          hint={t`Calculated from your date of birth.`}
          value={isDate(dateOfBirth) ? String(ageOn(dateOfBirth)) : ''}
          onChange={() => {}}
          readOnly
          short
          optional="unmarked"
        />
        <TextInput
          {...form.field('address')}
          label={t`Address`}
          hint={t`On one line: street, city, state ZIP. Parts you leave out stay as they are.`}
          optional
          autoComplete="street-address"
        />
        {form.values.address.trim() !== joinAddress(user.address) && (
          <AddressPreview line={form.values.address} address={user.address} />
        )}
        {config?.policies.pictureLinks !== false && (
          <TextInput
            {...form.field('profilePicture')}
            label={t`Profile picture URL`}
            hint={t`A link that starts with https://. We save our own copy. Leave it blank to keep your current picture.`}
            type="url"
            inputMode="url"
            autoComplete="off"
            optional
          />
        )}
        <Inline>
          <Button type="submit" busy={form.busy} busyLabel={t`Updating...`}>
            {t`Update Profile`}
          </Button>
          <Button variant="secondary" onClick={() => navigate(-1)}>
            {t`Cancel`}
          </Button>
        </Inline>
      </Stack>
    </Stack>
  );
}

const PARTS: readonly [keyof Omit<PatientUser['address'], 'country'>, MessageDescriptor][] = [
  ['street', msg`Street`],
  ['city', msg`City`],
  ['state', msg({ message: 'State', context: 'part of an address' })],
  ['zipCode', msg`ZIP code`],
];

/** Preview the parts of the address that would be saved. */
function AddressPreview({ line, address }: { line: string; address: PatientUser['address'] }) {
  const { t } = useLingui();
  const result = { ...address, ...splitAddress(line) };
  return (
    <div role="status" className="small">
      <p className="muted">{t`We’ll save this address:`}</p>
      <Grid as="dl" rowGap={2} className={styles.addressPreview}>
        {PARTS.map(([name, label]) => (
          <div key={name}>
            <dt>{t(label)}</dt>
            <dd>
              {result[name] || (
                <span className="muted">
                  {t({ message: 'None', context: 'part of an address' })}
                </span>
              )}
            </dd>
          </div>
        ))}
      </Grid>
    </div>
  );
}
