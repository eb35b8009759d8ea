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
import { pluralize } from '@/lib/counts';
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
import { checkProof, PasswordAndFactor, proofErrorMessage, useFactorProof } from './FactorProof';
import { LastFactorWarning } from './LastFactorWarning';
import styles from './mfa.module.css';
import { useRecoveryCodes } from './RecoveryCodes';
import { useMfaChanged } from './useMfaChanged';

const CODE_REQUIRED = 'Enter the six digits that your app shows';

/** The authenticator app and the recovery codes. */
export default function MfaSection() {
  const { data, isError, isFetching, refetch } = useQuery(mfaQuery);
  const codes = useRecoveryCodes(data);
  return (
    <Card as="section" gap={4} aria-labelledby="second-step">
      <h2 id="second-step" ref={codes.heading} tabIndex={-1}>
        Two-step sign-in{' '}
        {data && (data.since ? <Badge tone="green">On</Badge> : <Badge>Off</Badge>)}
      </h2>
      {data ? (
        <MfaStatus step={data} onCodes={codes.show} />
      ) : isError ? (
        <ErrorState
          title="We could not load how your two-step sign-in stands"
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
  return (
    <>
      <p className="muted">
        {step.since
          ? 'Signing in asks for more than your password, so nobody can sign in with the password alone.'
          : 'Signing in will also ask for a code from an app on your phone, or a passkey. Someone who learns your password still can’t sign in.'}
      </p>
      {step.app ? (
        <>
          <p>Authenticator app: on since {formatInstant(step.app.turnedOnAt)}.</p>
          <Disclosure summary="Turn the authenticator app off" lazy>
            <AppDisabled />
          </Disclosure>
        </>
      ) : (
        <Disclosure summary="Set up an authenticator app" lazy>
          <AppEnabled onCodes={onCodes} />
        </Disclosure>
      )}
      {step.since && (
        <>
          {step.recoveryCodesLeft < 3 && (
            <Banner tone="warning">
              {step.recoveryCodesLeft
                ? `Only ${pluralize(step.recoveryCodesLeft, 'recovery code')} left.`
                : 'No recovery code is left.'}{' '}
              Make new ones before you need them.
            </Banner>
          )}
          <p>{pluralize(step.recoveryCodesLeft, 'recovery code')} left.</p>
          <Disclosure summary="Make new recovery codes" lazy>
            <NewCodes onCodes={onCodes} />
          </Disclosure>
        </>
      )}
    </>
  );
}

function AppEnabled({ onCodes }: { onCodes: (codes: string[]) => void }) {
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
    message: (error) => proofErrorMessage(error, 'Failed to start'),
  });
  if (secret) return <AppSetup secret={secret} onCodes={onCodes} />;
  return (
    <Stack as="form" noValidate onSubmit={form.onSubmit}>
      <ErrorSummary form={form} />
      <p>
        You need an app that shows codes, such as Aegis, FreeOTP, Google Authenticator or the one in
        your password manager.
      </p>
      <PasswordAndFactor proof={proof} errors={form.errors} {...form.field('appPassword')} />
      <div>
        <Button type="submit" busy={form.busy} busyLabel="Starting...">
          Go on
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
  const onMfaChanged = useMfaChanged();
  // The password form, which had focus, is gone.
  const start = useRef<HTMLParagraphElement>(null);
  useEffect(() => start.current?.focus(), []);
  const form = useForm({
    values: { code: '' },
    validate: ({ code }) => withoutEmpty({ code: code.trim() ? undefined : CODE_REQUIRED }),
    submit: async ({ code }) => {
      const { data, message } = await enableAuthenticatorApp(code);
      if (data.recoveryCodes) onCodes(data.recoveryCodes);
      toast.success(message || 'Your authenticator app is on');
      await onMfaChanged();
    },
    message: (error) => messageOf(error, 'Failed to turn the app on'),
  });
  return (
    <Stack as="form" noValidate onSubmit={form.onSubmit}>
      <ErrorSummary form={form} />
      <p ref={start} tabIndex={-1}>
        Scan this picture with your app, or type the key into it. Then enter what it shows.
      </p>
      <img className={styles.qr} src={secret.qr} alt="QR code with the key below" />
      <Inline rowGap={2} className={styles.key}>
        <code>{secret.text}</code> <CopyButton text={secret.text} label="key" />
      </Inline>
      <p>
        <a href={secret.uri}>Open in an app on this device</a>
      </p>
      <TextInput
        {...form.field('code')}
        label="Code of the app"
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        short
      />
      <div>
        <Button type="submit" busy={form.busy} busyLabel="Turning on...">
          Turn on
        </Button>
      </div>
    </Stack>
  );
}

function AppDisabled() {
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
      toast.success(message || 'Your authenticator app is off');
      await onMfaChanged();
    },
    message: (error) => proofErrorMessage(error, 'Failed to turn the app off'),
  });
  return (
    <Stack as="form" noValidate onSubmit={form.onSubmit}>
      <ErrorSummary form={form} />
      {passkeys?.length === 0 && <LastFactorWarning />}
      <PasswordAndFactor proof={proof} errors={form.errors} {...form.field('offPassword')} />
      <div>
        <Button type="submit" variant="danger" busy={form.busy} busyLabel="Turning off...">
          Turn off
        </Button>
      </div>
    </Stack>
  );
}

function NewCodes({ onCodes }: { onCodes: (codes: string[]) => void }) {
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
    message: (error) => proofErrorMessage(error, 'Failed to make new codes'),
  });
  return (
    <Stack as="form" noValidate onSubmit={form.onSubmit}>
      <ErrorSummary form={form} />
      <p>The codes that you have stop working.</p>
      <PasswordAndFactor proof={proof} errors={form.errors} {...form.field('codesPassword')} />
      <div>
        <Button type="submit" busy={form.busy} busyLabel="Making...">
          Make new codes
        </Button>
      </div>
    </Stack>
  );
}
