import { useState } from 'react';
import { hasCode, messageOf } from '@/api/errors';
import { completeLogIn, type SecondStepBody } from '@/api/mfaLogin';
import type { SignedIn } from '@/api/session';
import type { SecondStepDue } from '@/api/types';
import { MFA_METHODS, type MfaMethod } from '@/domain/session/mfaMethods';
import { hasPasskeys, signWithPasskey } from '@/lib/passkey';
import { withoutEmpty } from '@/lib/validate';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { ErrorSummary } from '@/ui/ErrorSummary';
import { Inline } from '@/ui/Inline';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';
import { TextInput } from '@/ui/TextInput';
import { toast } from '@/ui/toasts';
import { useForm } from '@/ui/useForm';

interface Props {
  secondStep: SecondStepDue;
  onSignedIn: (answer: SignedIn) => void;
  onRestart: () => void;
}

/** The second step of a sign-in: a code of the app, a recovery code or a passkey. */
export default function MfaForm({ secondStep, onSignedIn, onRestart }: Props) {
  const methods = secondStep.methods.filter((method) => method !== 'passkey' || hasPasskeys());
  const [method, setMethod] = useState<MfaMethod>(methods[0] ?? 'recoveryCode');
  const onSubmit = async (body: SecondStepBody) => {
    try {
      onSignedIn(await completeLogIn(secondStep.ticket, body));
    } catch (error) {
      // Expired, or completed in another tab: start again with the password.
      if (!hasCode(error, 'ticket_invalid')) throw error;
      toast.error(messageOf(error, 'Please sign in again'));
      onRestart();
    }
  };
  const others = methods.filter((other) => other !== method);
  return (
    <>
      {method === 'passkey' ? (
        <PasskeyForm options={secondStep.passkey ?? {}} onSubmit={onSubmit} />
      ) : (
        <CodeForm key={method} method={method} onSubmit={onSubmit} />
      )}
      <Inline>
        {others.map((other) => (
          <Button key={other} variant="quiet" onClick={() => setMethod(other)}>
            {MFA_METHODS[other]}
          </Button>
        ))}
        <Button variant="quiet" onClick={onRestart}>
          Start again
        </Button>
      </Inline>
    </>
  );
}

interface MethodFormProps {
  onSubmit: (body: SecondStepBody) => Promise<void>;
}

const INSTRUCTIONS = {
  code: 'Open your authenticator app and type the six digits that it shows for this site.',
  recoveryCode: 'Type one of the codes that you kept when you set up two-step sign-in.',
};

function CodeForm({ method, onSubmit }: MethodFormProps & { method: 'code' | 'recoveryCode' }) {
  const form = useForm({
    values: { code: '', recoveryCode: '' },
    validate: (values) =>
      withoutEmpty({ [method]: values[method].trim() ? undefined : 'Enter the code' }),
    submit: (values) =>
      onSubmit(
        method === 'code' ? { code: values.code } : { recoveryCode: values.recoveryCode.trim() },
      ),
    message: (error) => messageOf(error, 'Login failed'),
  });
  return (
    <>
      <ErrorSummary form={form} />
      <PageHeading title="Second step" lead={INSTRUCTIONS[method]}>
        One more step
      </PageHeading>
      <Card>
        <Stack as="form" gap={5} noValidate onSubmit={form.onSubmit}>
          {method === 'code' ? (
            <TextInput
              {...form.field('code')}
              label="Code"
              inputMode="numeric"
              autoComplete="one-time-code"
              spellCheck={false}
              short
            />
          ) : (
            <TextInput
              {...form.field('recoveryCode')}
              label="Recovery code"
              hint="It works once."
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
          <Button type="submit" wide busy={form.busy} busyLabel="Signing in...">
            Sign in
          </Button>
        </Stack>
      </Card>
    </>
  );
}

function PasskeyForm({
  options,
  onSubmit,
}: MethodFormProps & { options: Record<string, unknown> }) {
  const form = useForm({
    values: {},
    submit: async () => onSubmit({ passkey: await signWithPasskey(options) }),
    message: (error) => (error instanceof Error && error.message) || 'Login failed',
  });
  return (
    <>
      {/* There is no field to mark. */}
      <ErrorSummary form={{ ...form, errors: {} }} />
      <PageHeading
        title="Second step"
        lead="Your browser asks your device, a security key or your phone."
      >
        One more step
      </PageHeading>
      <Card>
        <form noValidate onSubmit={form.onSubmit}>
          <Button type="submit" wide busy={form.busy} busyLabel="Waiting for your passkey...">
            Use a passkey
          </Button>
        </form>
      </Card>
    </>
  );
}
