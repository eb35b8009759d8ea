import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { messageOf } from '@/api/errors';
import {
  makeRecoveryCodes,
  passkeysQuery,
  secondStepQuery,
  startApp,
  turnAppOff,
  turnAppOn,
} from '@/api/secondStep';
import type { SecondStep, SecretShown } from '@/api/types';
import { counted } from '@/lib/counts';
import { formatInstant } from '@/lib/dates';
import { complaints } from '@/lib/validate';
import { Badge } from '@/ui/Badge';
import { Banner } from '@/ui/Banner';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { Copy } from '@/ui/Copy';
import { Disclosure } from '@/ui/Disclosure';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { TextInput } from '@/ui/inputs';
import { notify } from '@/ui/notices';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { ErrorState } from '@/ui/states';
import { useForm } from '@/ui/useForm';
import { LastOne } from './LastOne';
import { NO_PASSWORD, withPassword } from './passwordAgain';
import { useRecoveryCodes } from './RecoveryCodes';
import styles from './secondStep.module.css';
import { useSecondStepChanged } from './secondStepChanged';
import { YourPassword } from './YourPassword';

const NO_CODE = 'Enter the six digits that your app shows';

/** The authenticator app and the recovery codes. */
export default function SecondStepSection() {
  const { data, isError, isFetching, refetch } = useQuery(secondStepQuery);
  const codes = useRecoveryCodes(data);
  return (
    <Card as="section" className="stack" aria-labelledby="second-step">
      <h2 id="second-step" ref={codes.heading} tabIndex={-1}>
        Two-step sign-in{' '}
        {data && (data.since ? <Badge tone="green">On</Badge> : <Badge>Off</Badge>)}
      </h2>
      {data ? (
        <Standing step={data} onCodes={codes.show} />
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

interface StandingProps {
  step: SecondStep;
  onCodes: (codes: string[]) => void;
}

function Standing({ step, onCodes }: StandingProps) {
  return (
    <>
      <p className="muted">
        {step.since
          ? 'Signing in asks for more than your password, so nobody gets in who only knows that.'
          : 'With it, signing in also asks for a code of an app on your phone, or for a passkey. Whoever learns your password still does not get in.'}
      </p>
      {step.app ? (
        <>
          <p>Authenticator app: on since {formatInstant(step.app.turnedOnAt)}.</p>
          <Disclosure summary="Turn the authenticator app off" lazy>
            <AppOff />
          </Disclosure>
        </>
      ) : (
        <Disclosure summary="Set up an authenticator app" lazy>
          <AppOn onCodes={onCodes} />
        </Disclosure>
      )}
      {step.since && (
        <>
          {step.recoveryCodesLeft < 3 && (
            <Banner tone="warning">
              {step.recoveryCodesLeft
                ? `Only ${counted(step.recoveryCodesLeft, 'recovery code')} left.`
                : 'No recovery code is left.'}{' '}
              Make new ones before you need them.
            </Banner>
          )}
          <p>{counted(step.recoveryCodesLeft, 'recovery code')} left.</p>
          <Disclosure summary="Make new recovery codes" lazy>
            <NewCodes onCodes={onCodes} />
          </Disclosure>
        </>
      )}
    </>
  );
}

function AppOn({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const [secret, setSecret] = useState<SecretShown['secret'] | null>(null);
  const form = useForm({
    values: { appPassword: '' },
    validate: ({ appPassword }) =>
      complaints({ appPassword: appPassword ? undefined : NO_PASSWORD }),
    submit: async ({ appPassword }) => {
      setSecret(await withPassword('appPassword', () => startApp(appPassword)));
    },
    message: (error) => messageOf(error, 'Failed to start'),
  });
  if (secret) return <FirstCode secret={secret} onCodes={onCodes} />;
  return (
    <form className="stack" noValidate onSubmit={form.onSubmit}>
      <ErrorSummary form={form} />
      <p>
        You need an app that shows codes, such as Aegis, FreeOTP, Google Authenticator or the one in
        your password manager.
      </p>
      <YourPassword {...form.field('appPassword')} />
      <div>
        <Button type="submit" busy={form.busy} busyLabel="Starting...">
          Go on
        </Button>
      </div>
    </form>
  );
}

interface FirstCodeProps {
  secret: SecretShown['secret'];
  onCodes: (codes: string[]) => void;
}

function FirstCode({ secret, onCodes }: FirstCodeProps) {
  const changed = useSecondStepChanged();
  // The form for the password, which had the focus, is gone.
  const start = useRef<HTMLParagraphElement>(null);
  useEffect(() => start.current?.focus(), []);
  const form = useForm({
    values: { code: '' },
    validate: ({ code }) => complaints({ code: code.trim() ? undefined : NO_CODE }),
    submit: async ({ code }) => {
      const { data, message } = await turnAppOn(code);
      if (data.recoveryCodes) onCodes(data.recoveryCodes);
      notify.success(message || 'Your authenticator app is on');
      await changed();
    },
    message: (error) => messageOf(error, 'Failed to turn the app on'),
  });
  return (
    <form className="stack" noValidate onSubmit={form.onSubmit}>
      <ErrorSummary form={form} />
      <p ref={start} tabIndex={-1}>
        Scan this picture with your app, or type the key into it. Then enter what it shows.
      </p>
      <img className={styles.qr} src={secret.qr} alt="QR code with the key below" />
      <div className={styles.key}>
        <code>{secret.text}</code> <Copy text={secret.text} what="key" />
      </div>
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
    </form>
  );
}

function AppOff() {
  const changed = useSecondStepChanged();
  const { data: passkeys } = useQuery(passkeysQuery);
  const [lost, setLost] = useState(false);
  const form = useForm({
    values: { offPassword: '', code: '', recoveryCode: '' },
    validate: ({ offPassword, code, recoveryCode }) =>
      complaints({
        offPassword: offPassword ? undefined : NO_PASSWORD,
        ...(lost
          ? { recoveryCode: recoveryCode.trim() ? undefined : 'Enter one of your recovery codes' }
          : { code: code.trim() ? undefined : NO_CODE }),
      }),
    submit: async ({ offPassword, code, recoveryCode }) => {
      const proof = lost ? { recoveryCode: recoveryCode.trim() } : { code };
      const { message } = await withPassword('offPassword', () =>
        turnAppOff({ currentPassword: offPassword, ...proof }),
      );
      notify.success(message || 'Your authenticator app is off');
      await changed();
    },
    message: (error) => messageOf(error, 'Failed to turn the app off'),
  });
  return (
    <form className="stack" noValidate onSubmit={form.onSubmit}>
      <ErrorSummary form={form} />
      {passkeys?.length === 0 && <LastOne />}
      <YourPassword {...form.field('offPassword')} />
      {lost ? (
        <TextInput
          {...form.field('recoveryCode')}
          label="Recovery code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      ) : (
        <TextInput
          {...form.field('code')}
          label="Code of the app"
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          short
        />
      )}
      <div className="row">
        <Button type="submit" variant="danger" busy={form.busy} busyLabel="Turning off...">
          Turn off
        </Button>
        <Button variant="quiet" onClick={() => setLost(!lost)}>
          {lost ? 'Use a code of the app' : 'Use a recovery code'}
        </Button>
      </div>
    </form>
  );
}

function NewCodes({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const changed = useSecondStepChanged();
  const form = useForm({
    values: { codesPassword: '' },
    validate: ({ codesPassword }) =>
      complaints({ codesPassword: codesPassword ? undefined : NO_PASSWORD }),
    submit: async ({ codesPassword }) => {
      const { data } = await withPassword('codesPassword', () => makeRecoveryCodes(codesPassword));
      form.reset({ codesPassword: '' });
      onCodes(data.recoveryCodes);
      await changed();
    },
    message: (error) => messageOf(error, 'Failed to make new codes'),
  });
  return (
    <form className="stack" noValidate onSubmit={form.onSubmit}>
      <ErrorSummary form={form} />
      <p>The codes that you have stop working.</p>
      <YourPassword {...form.field('codesPassword')} />
      <div>
        <Button type="submit" busy={form.busy} busyLabel="Making...">
          Make new codes
        </Button>
      </div>
    </form>
  );
}
