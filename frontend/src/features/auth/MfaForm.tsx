import { useState } from 'react';
import { hasCode, messageOf } from '@/api/errors';
import { completeLogIn, type SecondStepBody } from '@/api/mfaLogin';
import type { SignedIn } from '@/api/session';
import type { SecondStepDue } from '@/api/types';
import { MFA_METHODS, type MfaMethod } from '@/domain/session/mfaMethods';
import { hasPasskeys, signWithPasskey } from '@/lib/passkey';
import { complaints } from '@/lib/validate';
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
  due: SecondStepDue;
  onSignedIn: (answer: SignedIn) => void;
  onStartAgain: () => void;
}

/** The second step of a sign-in: a code of the app, a recovery code or a passkey. */
export default function MfaForm({ due, onSignedIn, onStartAgain }: Props) {
  const ways = due.methods.filter((way) => way !== 'passkey' || hasPasskeys());
  const [way, setWay] = useState<MfaMethod>(ways[0] ?? 'recoveryCode');
  const finish = async (sent: SecondStepBody) => {
    try {
      onSignedIn(await completeLogIn(due.ticket, sent));
    } catch (error) {
      // Too late, or done in another tab: only the password helps.
      if (!hasCode(error, 'ticket_invalid')) throw error;
      toast.error(messageOf(error, 'Please sign in again'));
      onStartAgain();
    }
  };
  const others = ways.filter((other) => other !== way);
  return (
    <>
      {way === 'passkey' ? (
        <WithPasskey options={due.passkey ?? {}} finish={finish} />
      ) : (
        <WithCode key={way} way={way} finish={finish} />
      )}
      <Inline>
        {others.map((other) => (
          <Button key={other} variant="quiet" onClick={() => setWay(other)}>
            {MFA_METHODS[other]}
          </Button>
        ))}
        <Button variant="quiet" onClick={onStartAgain}>
          Start again
        </Button>
      </Inline>
    </>
  );
}

interface WayProps {
  finish: (sent: SecondStepBody) => Promise<void>;
}

const LEADS = {
  code: 'Open your authenticator app and type the six digits that it shows for Wellhour.',
  recoveryCode: 'Type one of the codes that you kept when you set up two-step sign-in.',
};

function WithCode({ way, finish }: WayProps & { way: 'code' | 'recoveryCode' }) {
  const form = useForm({
    values: { code: '', recoveryCode: '' },
    validate: (values) => complaints({ [way]: values[way].trim() ? undefined : 'Enter the code' }),
    submit: (values) =>
      finish(way === 'code' ? { code: values.code } : { recoveryCode: values.recoveryCode.trim() }),
    message: (error) => messageOf(error, 'Login failed'),
  });
  return (
    <>
      <ErrorSummary form={form} />
      <PageHeading title="Second step" lead={LEADS[way]}>
        One more step
      </PageHeading>
      <Card>
        <Stack as="form" gap={5} noValidate onSubmit={form.onSubmit}>
          {way === 'code' ? (
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

function WithPasskey({ options, finish }: WayProps & { options: Record<string, unknown> }) {
  const form = useForm({
    values: {},
    submit: async () => finish({ passkey: await signWithPasskey(options) }),
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
