import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '@/api/errors';
import { type FactorBody, mfaQuery, requestPasskeyChallenge } from '@/api/mfa';
import { MFA_METHODS, type MfaMethod } from '@/domain/session/mfaMethods';
import { hasPasskeys, signWithPasskey } from '@/lib/passkey';
import { Button } from '@/ui/Button';
import { fieldId } from '@/ui/Field';
import { Inline } from '@/ui/Inline';
import { TextInput } from '@/ui/TextInput';
import type { FieldErrors } from '@/ui/useForm';
import { CurrentPasswordField } from './CurrentPasswordField';
import { passwordRequired } from './currentPassword';
import styles from './mfa.module.css';

/**
 * Proof of identity for changes of the password, the email address or the second step: the password
 * and, with a second step, an app code, a recovery code or a passkey. A page has several such
 * forms, so each has a prefix for its fields.
 */

export const APP_CODE_REQUIRED = msg`Enter the six digits your app shows`;

const MISSING_FACTOR_TEXTS: Record<MfaMethod, MessageDescriptor | undefined> = {
  code: APP_CODE_REQUIRED,
  recoveryCode: msg`Enter one of your recovery codes`,
  // The browser asks for it on submit.
  passkey: undefined,
};
const FIELDS: MfaMethod[] = ['code', 'recoveryCode', 'passkey'];

export interface FactorProofState {
  prefix: string;
  methods: MfaMethod[];
  /** Null if the password is enough. */
  method: MfaMethod | undefined;
  choose: (method: MfaMethod) => void;
  text: string;
  setText: (text: string) => void;
  /** The error of a missing factor, by field. */
  check: () => FieldErrors;
  /** Call with the factor; its errors get the field names of this form. */
  submitWithFactor: <T>(
    request: (body: FactorBody) => Promise<T>,
    passwordField?: string,
  ) => Promise<T>;
}

/** The second factor of a form. `FactorFields` renders it and loads the available methods. */
export function useFactorProof(prefix: string): FactorProofState {
  const { t } = useLingui();
  const client = useQueryClient();
  const { data: step } = useQuery({ ...mfaQuery, enabled: false });
  const [chosen, setChosen] = useState<MfaMethod | null>(null);
  const [text, setText] = useState('');
  const methods = (step?.methods ?? []).filter((method) => method !== 'passkey' || hasPasskeys());
  const method = chosen && methods.includes(chosen) ? chosen : methods[0];
  const name = (field: string) => `${prefix}-${field}`;

  const body = async (): Promise<FactorBody> => {
    if (method === 'code') return { code: text };
    if (method === 'recoveryCode') return { recoveryCode: text.trim() };
    if (method !== 'passkey') return {};
    const { ticket, options } = await requestPasskeyChallenge();
    return { ticket, passkey: await signWithPasskey(options) };
  };

  return {
    prefix,
    methods,
    method,
    choose: (next) => {
      setChosen(next);
      setText('');
    },
    text,
    setText,
    check: () => {
      const missing = method && !text.trim() ? MISSING_FACTOR_TEXTS[method] : undefined;
      return method && missing ? { [name(method)]: t(missing) } : {};
    },
    submitWithFactor: async (request, passwordField) => {
      try {
        const result = await request(await body());
        // A code works once.
        setText('');
        return result;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        // The second step may have been enabled in another window.
        if (error.errors.code && !method) void client.invalidateQueries(mfaQuery);
        throw renameErrorFields(error, (field) => {
          if (field === 'currentPassword') return passwordField ?? field;
          return FIELDS.some((name) => name === field) ? name(field) : field;
        });
      }
    },
  };
}

/** Rename the fields of an error to those of a form. */
function renameErrorFields(error: ApiError, name: (field: string) => string): ApiError {
  return new ApiError(
    error.status,
    {
      code: error.code,
      message: error.message,
      errors: Object.fromEntries(
        Object.entries(error.errors).map(([field, sentences]) => [name(field), sentences]),
      ),
      data: error.data,
      requestId: error.requestId,
    },
    error.retryAfter,
  );
}

/** The errors of a missing password or factor, by field. */
export function checkProof(
  proof: FactorProofState,
  passwordField: string,
  password: string,
): FieldErrors {
  return { ...(password ? {} : { [passwordField]: passwordRequired() }), ...proof.check() };
}

interface FieldsProps {
  proof: FactorProofState;
  errors: FieldErrors;
}

/** The fields of the second factor; nothing if the password is enough. */
export function FactorFields({ proof, errors }: FieldsProps) {
  const { t } = useLingui();
  useQuery(mfaQuery);
  const { method, methods, prefix } = proof;
  // The pressed button is gone.
  const shouldFocus = useRef(false);
  useEffect(() => {
    if (!shouldFocus.current || !method) return;
    shouldFocus.current = false;
    document.getElementById(fieldId(`${prefix}-${method}`))?.focus();
  }, [method, prefix]);
  if (!method) return null;
  const name = `${prefix}-${method}`;
  const error = errors[name];
  const text = { name, error, value: proof.text, onChange: proof.setText };
  return (
    <>
      {method === 'code' && (
        <TextInput
          {...text}
          label={t`6-digit code`}
          inputMode="numeric"
          autoComplete="one-time-code"
          spellCheck={false}
          short
        />
      )}
      {method === 'recoveryCode' && (
        <TextInput
          {...text}
          label={t`Recovery code`}
          hint={t`Each code works once.`}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
      {method === 'passkey' && (
        <p id={fieldId(name)} tabIndex={-1}>
          {error ?? t`Your browser will ask for your passkey.`}
        </p>
      )}
      {methods.length > 1 && (
        <Inline className={styles.otherMethods}>
          {methods
            .filter((other) => other !== method)
            .map((other) => (
              <Button
                key={other}
                variant="quiet"
                onClick={() => {
                  shouldFocus.current = true;
                  proof.choose(other);
                }}
              >
                {t(MFA_METHODS[other])}
              </Button>
            ))}
        </Inline>
      )}
    </>
  );
}

type PasswordField = Parameters<typeof CurrentPasswordField>[0];

/** The fields of the password and the second factor. */
export function PasswordAndFactor({ proof, errors, ...password }: FieldsProps & PasswordField) {
  return (
    <>
      <CurrentPasswordField {...password} />
      <FactorFields proof={proof} errors={errors} />
    </>
  );
}
