import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, messageOf } from '@/api/errors';
import { type FactorBody, mfaQuery, requestPasskeyChallenge } from '@/api/mfa';
import { MFA_METHODS, type MfaMethod } from '@/domain/session/mfaMethods';
import { hasPasskeys, NoPasskey, signWithPasskey } from '@/lib/passkey';
import { Button } from '@/ui/Button';
import { fieldId } from '@/ui/Field';
import { Inline } from '@/ui/Inline';
import { TextInput } from '@/ui/TextInput';
import type { FieldErrors } from '@/ui/useForm';
import { CurrentPasswordField } from './CurrentPasswordField';
import { NO_PASSWORD } from './currentPassword';
import styles from './mfa.module.css';

/**
 * What a change of the password, the email address or the second step asks for: the password and, where there is
 * a second step, a code of the app, a recovery code or a passkey. Several such forms are on one page, so each
 * names its fields by a prefix of its own.
 */

const MISSING: Record<MfaMethod, string | undefined> = {
  code: 'Enter the six digits that your app shows',
  recoveryCode: 'Enter one of your recovery codes',
  // The browser asks for it once the form is sent.
  passkey: undefined,
};
const FIELDS: MfaMethod[] = ['code', 'recoveryCode', 'passkey'];

export interface FactorProofState {
  prefix: string;
  ways: MfaMethod[];
  /** None where the password is enough. */
  way: MfaMethod | undefined;
  choose: (way: MfaMethod) => void;
  text: string;
  setText: (text: string) => void;
  /** The missing factor, by the name of its field. */
  check: () => FieldErrors;
  /** Act with the factor; a refusal of it carries the names of this form's fields. */
  prove: <T>(act: (sent: FactorBody) => Promise<T>, passwordField?: string) => Promise<T>;
}

/** The second factor of a form. `FactorFields` shows it and asks the server which ways there are. */
export function useFactorProof(prefix: string): FactorProofState {
  const client = useQueryClient();
  const { data: step } = useQuery({ ...mfaQuery, enabled: false });
  const [chosen, setChosen] = useState<MfaMethod | null>(null);
  const [text, setText] = useState('');
  const ways = (step?.methods ?? []).filter((way) => way !== 'passkey' || hasPasskeys());
  const way = chosen && ways.includes(chosen) ? chosen : ways[0];
  const name = (field: string) => `${prefix}-${field}`;

  const sent = async (): Promise<FactorBody> => {
    if (way === 'code') return { code: text };
    if (way === 'recoveryCode') return { recoveryCode: text.trim() };
    if (way !== 'passkey') return {};
    const { ticket, options } = await requestPasskeyChallenge();
    return { ticket, passkey: await signWithPasskey(options) };
  };

  return {
    prefix,
    ways,
    way,
    choose: (next) => {
      setChosen(next);
      setText('');
    },
    text,
    setText,
    check: () => {
      const missing = way && !text.trim() ? MISSING[way] : undefined;
      return way && missing ? { [name(way)]: missing } : {};
    },
    prove: async (act, passwordField) => {
      try {
        const done = await act(await sent());
        // A code works once.
        setText('');
        return done;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // The second step may have been turned on in another window.
        if (error.errors.code && !way) void client.invalidateQueries(mfaQuery);
        throw renamed(error, (field) => {
          if (field === 'currentPassword') return passwordField ?? field;
          return FIELDS.some((known) => known === field) ? name(field) : field;
        });
      }
    },
  };
}

/** The same refusal, its fields called as a form calls them. */
function renamed(error: ApiError, name: (field: string) => string): ApiError {
  return new ApiError(
    error.status,
    {
      code: error.code,
      message: error.message,
      errors: Object.fromEntries(
        Object.entries(error.errors).map(([field, sentences]) => [name(field), sentences]),
      ),
      data: error.data,
    },
    error.retryAfter,
  );
}

/** The sentence for a failed change; the browser's own refusal has one too. */
export function proofFailure(error: unknown, fallback: string): string {
  return error instanceof NoPasskey ? error.message : messageOf(error, fallback);
}

/** The missing password and factor, by field. */
export function checkProof(
  proof: FactorProofState,
  passwordField: string,
  password: string,
): FieldErrors {
  return { ...(password ? {} : { [passwordField]: NO_PASSWORD }), ...proof.check() };
}

interface FieldsProps {
  proof: FactorProofState;
  errors: FieldErrors;
}

/** The second factor; nothing where the password is enough. */
export function FactorFields({ proof, errors }: FieldsProps) {
  useQuery(mfaQuery);
  const { way, ways, prefix } = proof;
  // The button that was pressed is gone.
  const pressed = useRef(false);
  useEffect(() => {
    if (!pressed.current || !way) return;
    pressed.current = false;
    document.getElementById(fieldId(`${prefix}-${way}`))?.focus();
  }, [way, prefix]);
  if (!way) return null;
  const name = `${prefix}-${way}`;
  const error = errors[name];
  const text = { name, error, value: proof.text, onChange: proof.setText };
  return (
    <>
      {way === 'code' && (
        <TextInput
          {...text}
          label="Code of the app"
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          short
        />
      )}
      {way === 'recoveryCode' && (
        <TextInput
          {...text}
          label="Recovery code"
          hint="It works once."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
      {way === 'passkey' && (
        <p id={fieldId(name)} tabIndex={-1}>
          {error ?? 'Your browser will ask for your passkey.'}
        </p>
      )}
      {ways.length > 1 && (
        <Inline className={styles.otherMethods}>
          {ways
            .filter((other) => other !== way)
            .map((other) => (
              <Button
                key={other}
                variant="quiet"
                onClick={() => {
                  pressed.current = true;
                  proof.choose(other);
                }}
              >
                {MFA_METHODS[other]}
              </Button>
            ))}
        </Inline>
      )}
    </>
  );
}

type PasswordField = Parameters<typeof CurrentPasswordField>[0];

/** The password and the second factor. */
export function PasswordAndFactor({ proof, errors, ...password }: FieldsProps & PasswordField) {
  return (
    <>
      <CurrentPasswordField {...password} />
      <FactorFields proof={proof} errors={errors} />
    </>
  );
}
