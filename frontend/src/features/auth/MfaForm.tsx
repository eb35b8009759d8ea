import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { hasCode, messageOf } from '@/api/errors';
import { completeLogIn, type SecondStepBody } from '@/api/mfaLogin';
import type { SignedIn } from '@/api/session';
import type { SecondStepDue } from '@/api/types';
import { MFA_METHODS, type MfaMethod } from '@/domain/session/mfaMethods';
import { passkeyErrorMessage } from '@/domain/session/passkeyErrorMessage';
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
  const { t } = useLingui();
  const methods = secondStep.methods.filter((method) => method !== 'passkey' || hasPasskeys());
  const [method, setMethod] = useState<MfaMethod>(methods[0] ?? 'recoveryCode');
  const onSubmit = async (body: SecondStepBody) => {
    try {
      onSignedIn(await completeLogIn(secondStep.ticket, body));
    } catch (error) {
      // Expired, or completed in another tab: start again with the password.
      if (!hasCode(error, 'ticket_invalid')) throw error;
      toast.error(messageOf(error, t`Please sign in again`));
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
            {t(MFA_METHODS[other])}
          </Button>
        ))}
        <Button variant="quiet" onClick={onRestart}>
          {t`Start over`}
        </Button>
      </Inline>
    </>
  );
}

interface MethodFormProps {
  onSubmit: (body: SecondStepBody) => Promise<void>;
}

const INSTRUCTIONS = {
  code: msg`Open your authenticator app and enter the six-digit code it shows for this site.`,
  recoveryCode: msg`Enter one of the codes you saved when you set up two-step sign-in.`,
};

function CodeForm({ method, onSubmit }: MethodFormProps & { method: 'code' | 'recoveryCode' }) {
  const { t } = useLingui();
  const form = useForm({
    values: { code: '', recoveryCode: '' },
    validate: (values) =>
      withoutEmpty({ [method]: values[method].trim() ? undefined : t`Enter the code` }),
    submit: (values) =>
      onSubmit(
        method === 'code' ? { code: values.code } : { recoveryCode: values.recoveryCode.trim() },
      ),
    message: (error) => messageOf(error, t`Login failed`),
  });
  return (
    <>
      <ErrorSummary form={form} />
      <PageHeading title={t`Second step`} lead={t(INSTRUCTIONS[method])}>
        {t`One more step`}
      </PageHeading>
      <Card>
        <Stack as="form" gap={5} noValidate onSubmit={form.onSubmit}>
          {method === 'code' ? (
            <TextInput
              {...form.field('code')}
              label={t({ message: 'Code', context: 'of an authenticator app' })}
              inputMode="numeric"
              autoComplete="one-time-code"
              spellCheck={false}
              short
            />
          ) : (
            <TextInput
              {...form.field('recoveryCode')}
              label={t`Recovery code`}
              hint={t`Each code works once.`}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
            />
          )}
          <Button type="submit" wide busy={form.busy} busyLabel={t`Signing in...`}>
            {t`Sign in`}
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
  const { t } = useLingui();
  const form = useForm({
    values: {},
    submit: async () => onSubmit({ passkey: await signWithPasskey(options) }),
    message: (error) => passkeyErrorMessage(error, t`Login failed`),
  });
  return (
    <>
      {/* There is no field to mark. */}
      <ErrorSummary form={{ ...form, errors: {} }} />
      <PageHeading
        title={t`Second step`}
        lead={t`Your browser will ask for your device, a security key or your phone.`}
      >
        {t`One more step`}
      </PageHeading>
      <Card>
        <form noValidate onSubmit={form.onSubmit}>
          <Button type="submit" wide busy={form.busy} busyLabel={t`Waiting for your passkey...`}>
            {t(MFA_METHODS.passkey)}
          </Button>
        </form>
      </Card>
    </>
  );
}
