import { type FormEvent, useRef, useState } from 'react';

/** What an error of a submit may have; api/errors.ts's ApiError fits, and this file need not know it. */
interface SubmitError {
  errors?: Record<string, string[]>;
}

export type FieldErrors = Record<string, string>;

interface Options<V> {
  /** Flat values under the dotted names of the wire. */
  values: V;
  /** Sentences by field, checked on submit; an empty object lets the form go. */
  validate?: (values: V) => FieldErrors;
  /** Send it. What it throws is shown: `errors` beside the fields, the rest as the message. */
  submit: (values: V) => Promise<void>;
  /** The sentence for an error (`messageOf(error, 'Login failed')`). */
  message: (error: unknown) => string;
}

export interface Form<V> {
  values: V;
  errors: FieldErrors;
  /** The sentence of a failed submit, for the banner. */
  message: string;
  busy: boolean;
  /** Counts failed submits: the error summary takes focus at each. */
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
  // State is too late to stop the second of two quick presses.
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
