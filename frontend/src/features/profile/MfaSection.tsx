import { Plural, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '@/api/errors';
import {
  createAuthenticatorSecret,
  createRecoveryCodes,
  disableAuthenticatorApp,
  enableAuthenticatorApp,
  type FactorBody,
  mfaQuery,
  passkeysQuery,
} from '@/api/mfa';
import type { SecondStep, SecretShown } from '@/api/types';
import { passkeyErrorMessage } from '@/domain/session/passkeyErrorMessage';
import { formatInstant } from '@/lib/dates';
import { withoutEmpty } from '@/lib/validate';
import { Badge } from '@/ui/Badge';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { CopyButton } from '@/ui/CopyButton';
import { Disclosure } from '@/ui/Disclosure';
import { ErrorState } from '@/ui/ErrorState';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Inline } from '@/ui/Inline';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { TextInput } from '@/ui/TextInput';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';
import { APP_CODE_REQUIRED, checkProof, PasswordAndFactor, useFactorProof } from './FactorProof';
import { LastFactorWarning } from './LastFactorWarning';
import styles from './mfa.module.css';
import { useRecoveryCodes } from './RecoveryCodes';
import { useMfaChanged } from './useMfaChanged';

/** With fewer left, it is time to make new ones. */
const MIN_RECOVERY_CODES = 3;

/** The authenticator app and the recovery codes. */
export default function MfaSection() {
  const { t } = useLingui();
  const { data, isError, isFetching, refetch } = useQuery(mfaQuery);
  const codes = useRecoveryCodes(data);
  return (
    <Card as="section" gap={4} aria-labelledby="second-step">
      <h2 id="second-step" ref={codes.heading} tabIndex={-1}>
        {t`Two-step sign-in`}{' '}
        {data &&
          (data.since ? (
            <Badge tone="green">{t({ message: 'On', context: 'two-step sign-in' })}</Badge>
          ) : (
            <Badge>{t({ message: 'Off', context: 'two-step sign-in' })}</Badge>
          ))}
      </h2>
      {data ? (
        <MfaStatus step={data} onCodes={codes.show} />
      ) : isError ? (
        <ErrorState
          title={t`We couldn’t load your two-step sign-in settings`}
          onRetry={() => void refetch()}
          busy={isFetching}
        />
      ) : (
        <Skeletons count={2}>
          <Skeleton height={32} />
        </Skeletons>
      )}
      {codes.dialog}
    </Card>
  );
}

interface MfaStatusProps {
  step: SecondStep;
  onCodes: (codes: string[]) => void;
}

function MfaStatus({ step, onCodes }: MfaStatusProps) {
  const { t } = useLingui();
  const { recoveryCodesLeft } = step;
  const appOnSince = step.app && formatInstant(step.app.turnedOnAt);
  return (
    <>
      <p className="muted">
        {step.since
          ? t`Signing in takes more than your password, so nobody can sign in with the password alone.`
          : t`With two-step sign-in, we also ask for a code from an app on your phone, or a passkey. Even someone who knows your password can’t sign in.`}
      </p>
      {step.app ? (
        <>
          <p>{t`Authenticator app: on since ${appOnSince}.`}</p>
          <Disclosure summary={t`Turn off the authenticator app`} lazy>
            <AppDisabled />
          </Disclosure>
        </>
      ) : (
        <Disclosure summary={t`Set up an authenticator app`} lazy>
          <AppEnabled onCodes={onCodes} />
        </Disclosure>
      )}
      {step.since && (
        <>
          {recoveryCodesLeft < MIN_RECOVERY_CODES && (
            <Banner tone="warning">
              <Plural
                value={recoveryCodesLeft}
                _0="You have no recovery codes left. Make new ones before you need them."
                one="You have only # recovery code left. Make new ones before you need them."
                other="You have only # recovery codes left. Make new ones before you need them."
              />
            </Banner>
          )}
          {recoveryCodesLeft >= MIN_RECOVERY_CODES && (
            <p>
              <Plural
                value={recoveryCodesLeft}
                one="# recovery code left."
                other="# recovery codes left."
              />
            </p>
          )}
          <Disclosure summary={t`Make new recovery codes`} lazy>
            <NewCodes onCodes={onCodes} />
          </Disclosure>
        </>
      )}
    </>
  );
}

function AppEnabled({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const { t } = useLingui();
  const [secret, setSecret] = useState<SecretShown['secret'] | null>(null);
  const proof = useFactorProof('app');
  const form = useForm({
    values: { appPassword: '' },
    validate: ({ appPassword }) => checkProof(proof, 'appPassword', appPassword),
    submit: async ({ appPassword }) => {
      const start = (factor: FactorBody) =>
        createAuthenticatorSecret({ currentPassword: appPassword, ...factor });
      setSecret(await proof.submitWithFactor(start, 'appPassword'));
    },
    message: (error) => passkeyErrorMessage(error, t`We couldn’t start the setup`),
  });
  if (secret) return <AppSetup secret={secret} onCodes={onCodes} />;
  return (
    <Stack as="form" noValidate onSubmit={form.onSubmit}>
      <ErrorSummary form={form} />
      <p>
        {t`You need an app that shows codes, such as Aegis, FreeOTP, Google Authenticator or the one in your password manager.`}
      </p>
      <PasswordAndFactor proof={proof} errors={form.errors} {...form.field('appPassword')} />
      <div>
        <Button type="submit" busy={form.busy} busyLabel={t`Starting...`}>
          {t`Continue`}
        </Button>
      </div>
    </Stack>
  );
}

interface AppSetupProps {
  secret: SecretShown['secret'];
  onCodes: (codes: string[]) => void;
}

function AppSetup({ secret, onCodes }: AppSetupProps) {
  const { t } = useLingui();
  const onMfaChanged = useMfaChanged();
  // The password form, which had focus, is gone.
  const start = useRef<HTMLParagraphElement>(null);
  useEffect(() => start.current?.focus(), []);
  const form = useForm({
    values: { code: '' },
    validate: ({ code }) => withoutEmpty({ code: code.trim() ? undefined : t(APP_CODE_REQUIRED) }),
    submit: async ({ code }) => {
      const { data, message } = await enableAuthenticatorApp(code);
      if (data.recoveryCodes) onCodes(data.recoveryCodes);
      toast.success(message || t`Your authenticator app is on`);
      await onMfaChanged();
    },
    message: (error) => messageOf(error, t`We couldn’t turn on the app`),
  });
  return (
    <Stack as="form" noValidate onSubmit={form.onSubmit}>
      <ErrorSummary form={form} />
      <p ref={start} tabIndex={-1}>
        {t`Scan this QR code with your app, or type the key into it. Then enter the code it shows.`}
      </p>
      <img className={styles.qr} src={secret.qr} alt={t`QR code with the key below`} />
      <Inline rowGap={2} className={styles.key}>
        <code>{secret.text}</code>{' '}
        <CopyButton
          text={secret.text}
          label={t({ message: 'key', context: 'of an authenticator app' })}
        />
      </Inline>
      <p>
        <a href={secret.uri}>{t`Open in an app on this device`}</a>
      </p>
      <TextInput
        {...form.field('code')}
        label={t`6-digit code`}
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        short
      />
      <div>
        <Button type="submit" busy={form.busy} busyLabel={t`Turning on...`}>
          {t`Turn on`}
        </Button>
      </div>
    </Stack>
  );
}

function AppDisabled() {
  const { t } = useLingui();
  const onMfaChanged = useMfaChanged();
  const { data: passkeys } = useQuery(passkeysQuery);
  const proof = useFactorProof('off');
  const form = useForm({
    values: { offPassword: '' },
    validate: ({ offPassword }) => checkProof(proof, 'offPassword', offPassword),
    submit: async ({ offPassword }) => {
      const { message } = await proof.submitWithFactor(
        (factor) => disableAuthenticatorApp({ currentPassword: offPassword, ...factor }),
        'offPassword',
      );
      toast.success(message || t`Your authenticator app is off`);
      await onMfaChanged();
    },
    message: (error) => passkeyErrorMessage(error, t`We couldn’t turn off the app`),
  });
  return (
    <Stack as="form" noValidate onSubmit={form.onSubmit}>
      <ErrorSummary form={form} />
      {passkeys?.length === 0 && <LastFactorWarning />}
      <PasswordAndFactor proof={proof} errors={form.errors} {...form.field('offPassword')} />
      <div>
        <Button type="submit" variant="danger" busy={form.busy} busyLabel={t`Turning off...`}>
          {t`Turn off`}
        </Button>
      </div>
    </Stack>
  );
}

function NewCodes({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const { t } = useLingui();
  const onMfaChanged = useMfaChanged();
  const proof = useFactorProof('codes');
  const form = useForm({
    values: { codesPassword: '' },
    validate: ({ codesPassword }) => checkProof(proof, 'codesPassword', codesPassword),
    submit: async ({ codesPassword }) => {
      const { data } = await proof.submitWithFactor(
        (factor) => createRecoveryCodes({ currentPassword: codesPassword, ...factor }),
        'codesPassword',
      );
      form.reset({ codesPassword: '' });
      onCodes(data.recoveryCodes);
      await onMfaChanged();
    },
    message: (error) => passkeyErrorMessage(error, t`We couldn’t make new codes`),
  });
  return (
    <Stack as="form" noValidate onSubmit={form.onSubmit}>
      <ErrorSummary form={form} />
      <p>{t`The codes you have now will stop working.`}</p>
      <PasswordAndFactor proof={proof} errors={form.errors} {...form.field('codesPassword')} />
      <div>
        <Button type="submit" busy={form.busy} busyLabel={t`Making...`}>
          {t`Make new codes`}
        </Button>
      </div>
    </Stack>
  );
}
