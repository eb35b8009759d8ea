import { type FormEvent, useRef, useState } from 'react';

/** The part of an error that forms use; `ApiError` of api/errors.ts matches it. */
interface SubmitError {
  errors?: Record<string, string[]>;
}

export type FieldErrors = Record<string, string>;

interface Options<V> {
  /** Flat values with dotted API names. */
  values: V;
  /** Errors by field, checked on submit; empty if valid. */
  validate?: (values: V) => FieldErrors;
  /** Submit the form. Errors are shown: `errors` at the fields, the rest as the message. */
  submit: (values: V) => Promise<void>;
  /** The message for an error (`messageOf(error, 'Login failed')`). */
  message: (error: unknown) => string;
}

export interface Form<V> {
  values: V;
  errors: FieldErrors;
  /** The message of a failed submit, for the banner. */
  message: string;
  busy: boolean;
  /** Counts failed submits: the error summary receives focus at each. */
  failureCount: number;
  set: <K extends keyof V>(name: K, value: V[K]) => void;
  setAll: (values: Partial<V>) => void;
  /** `name`, `value`, `error` and `onChange` for a control. */
  field: <K extends keyof V & string>(
    name: K,
  ) => { name: K; value: V[K]; error: string | undefined; onChange: (value: V[K]) => void };
  onSubmit: (event?: FormEvent) => void;
  /** Set these values and submit the form with them. */
  submitWith: (values: Partial<V>) => void;
  /** Reset to these values. */
  reset: (values: V) => void;
}

/** A form's values and errors. Typed text is never lost, and nothing is submitted twice. */
export function useForm<V extends object>(options: Options<V>): Form<V> {
  const [values, setValues] = useState(options.values);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [message, setMessage] = useState('');
  const [busy, setBusy] = useState(false);
  const [failureCount, setFailureCount] = useState(0);
  // State updates too late to stop the second of two quick clicks.
  const isRunning = useRef(false);

  const showErrors = (fieldErrors: FieldErrors, text: string) => {
    setErrors(fieldErrors);
    setMessage(text);
    setFailureCount((count) => count + 1);
  };

  const submit = async (changes: Partial<V> = {}) => {
    if (isRunning.current) return;
    const submitted = { ...values, ...changes };
    const fieldErrors = options.validate?.(submitted) ?? {};
    if (Object.keys(fieldErrors).length > 0) {
      showErrors(fieldErrors, '');
      return;
    }
    isRunning.current = true;
    setBusy(true);
    setErrors({});
    setMessage('');
    try {
      await options.submit(submitted);
    } catch (error) {
      showErrors(firstErrors((error as SubmitError).errors), options.message(error));
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };

  const set: Form<V>['set'] = (name, value) =>
    setValues((current) => ({ ...current, [name]: value }));

  return {
    values,
    errors,
    message,
    busy,
    failureCount,
    set,
    setAll: (changes) => setValues((current) => ({ ...current, ...changes })),
    field: (name) => ({
      name,
      value: values[name],
      error: errors[name],
      onChange: (value) => set(name, value),
    }),
    onSubmit: (event) => {
      event?.preventDefault();
      void submit();
    },
    submitWith: (changes) => {
      setValues((current) => ({ ...current, ...changes }));
      void submit(changes);
    },
    reset: (newValues) => {
      setValues(newValues);
      setErrors({});
      setMessage('');
    },
  };
}

function firstErrors(errors: Record<string, string[]> = {}): FieldErrors {
  const first: FieldErrors = {};
  for (const [name, sentences] of Object.entries(errors)) {
    if (sentences[0]) first[name] = sentences[0];
  }
  return first;
}
