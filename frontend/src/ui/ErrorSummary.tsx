import { Fragment, type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import styles from './ErrorSummary.module.css';
import { fieldId } from './Field';
import { markTitle } from './title';
import type { Form } from './useForm';

interface Props {
  form: Pick<Form<object>, 'errors' | 'message' | 'refusals'>;
  /** What to do about the message. */
  help?: ReactNode;
  /** A sentence that several fields have, and what these are called: it stands once, with a link to each. */
  shared?: { sentence: string; names: Record<string, string> };
}

/** Above the heading: what is wrong, with links to the fields. Takes focus at each refusal. */
export function ErrorSummary({ form, help, shared }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const entries = unique(form.errors);
  const shown = entries.length > 0 || form.message !== '';

  useEffect(() => {
    if (!shown || form.refusals === 0) return;
    markTitle(true);
    box.current?.focus();
    return () => markTitle(false);
  }, [shown, form.refusals]);

  if (!shown) return null;
  return (
    <div ref={box} className={styles.box} role="alert" tabIndex={-1}>
      <h2 className={styles.title}>There is a problem</h2>
      {/* The message repeats a single field's sentence more often than not. */}
      {form.message && !entries.some(([, sentence]) => sentence === form.message) && (
        <p>{form.message}</p>
      )}
      {form.message && help && <p>{help}</p>}
      {entries.length > 0 && (
        <ul className={styles.list}>
          {entries.map(([name, sentence]) => (
            <li key={name}>
              {sentence === shared?.sentence ? (
                <>
                  {sentence}:{' '}
                  {Object.entries(shared.names)
                    .filter(([each]) => form.errors[each] === sentence)
                    .map(([each, called], at) => (
                      <Fragment key={each}>
                        {at > 0 && ', '}
                        <ToField name={each}>{called}</ToField>
                      </Fragment>
                    ))}
                </>
              ) : (
                <ToField name={name}>{sentence}</ToField>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function ToField({ name, children }: { name: string; children: string }) {
  return (
    <a href={`#${fieldId(name)}`} onClick={(event) => goTo(event, name)}>
      {children}
    </a>
  );
}

/** Several fields may share one sentence; it stands once and leads to the first of them. */
function unique(errors: Record<string, string>): [string, string][] {
  const seen = new Set<string>();
  return Object.entries(errors).filter(([, sentence]) => {
    if (seen.has(sentence)) return false;
    seen.add(sentence);
    return true;
  });
}

function goTo(event: MouseEvent, name: string) {
  event.preventDefault();
  const target = document.getElementById(fieldId(name));
  const control = target?.matches('fieldset')
    ? (target.querySelector<HTMLElement>('[aria-invalid]') ?? target.querySelector('input'))
    : target;
  target?.scrollIntoView({ block: 'center' });
  control?.focus({ preventScroll: true });
}
