import { type FormEvent, useRef, useState } from 'react';

/** What a refusal may carry; api/errors.ts's ApiError fits, and this file need not know it. */
interface Refusal {
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
  /** The sentence of a refused submit, for the banner. */
  message: string;
  busy: boolean;
  /** Counts refused submits: the error summary takes focus at each. */
  refusals: number;
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
  const [refusals, setRefusals] = useState(0);
  // State is too late to stop the second of two quick presses.
  const running = useRef(false);

  const refuse = (found: FieldErrors, text: string) => {
    setErrors(found);
    setMessage(text);
    setRefusals((count) => count + 1);
  };

  const run = async (some: Partial<V> = {}) => {
    if (running.current) return;
    const sent = { ...values, ...some };
    const found = options.validate?.(sent) ?? {};
    if (Object.keys(found).length > 0) {
      refuse(found, '');
      return;
    }
    running.current = true;
    setBusy(true);
    setErrors({});
    setMessage('');
    try {
      await options.submit(sent);
    } catch (error) {
      refuse(firstOfEach((error as Refusal).errors), options.message(error));
    } finally {
      running.current = false;
      setBusy(false);
    }
  };

  const set: Form<V>['set'] = (name, value) => setValues((old) => ({ ...old, [name]: value }));

  return {
    values,
    errors,
    message,
    busy,
    refusals,
    set,
    setAll: (some) => setValues((old) => ({ ...old, ...some })),
    field: (name) => ({
      name,
      value: values[name],
      error: errors[name],
      onChange: (value) => set(name, value),
    }),
    onSubmit: (event) => {
      event?.preventDefault();
      void run();
    },
    submitWith: (some) => {
      setValues((old) => ({ ...old, ...some }));
      void run(some);
    },
    reset: (fresh) => {
      setValues(fresh);
      setErrors({});
      setMessage('');
    },
  };
}

function firstOfEach(errors: Record<string, string[]> = {}): FieldErrors {
  const found: FieldErrors = {};
  for (const [name, sentences] of Object.entries(errors)) {
    if (sentences[0]) found[name] = sentences[0];
  }
  return found;
}
