import { Trans } from '@lingui/react/macro';
import { type MouseEvent, useEffect, useRef } from 'react';
import { markTitleAsError } from './documentTitle';
import styles from './ErrorSummary.module.css';
import { fieldId } from './Field';
import type { Form } from './useForm';

interface Props {
  form: Pick<Form<object>, 'errors' | 'message' | 'failureCount'>;
}

/** The errors above the heading, with links to the fields. Receives focus at each failed submit. */
export function ErrorSummary({ form }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const entries = unique(form.errors);
  const hasErrors = entries.length > 0 || form.message !== '';

  useEffect(() => {
    if (!hasErrors || form.failureCount === 0) return;
    markTitleAsError(true);
    box.current?.focus();
    return () => markTitleAsError(false);
  }, [hasErrors, form.failureCount]);

  if (!hasErrors) return null;
  return (
    <div ref={box} className={styles.box} role="alert" tabIndex={-1}>
      <h2 className={styles.title}>
        <Trans>There is a problem</Trans>
      </h2>
      {/* The message repeats a single field's sentence more often than not. */}
      {form.message && !entries.some(([, sentence]) => sentence === form.message) && (
        <p>{form.message}</p>
      )}
      {entries.length > 0 && (
        <ul className={styles.list}>
          {entries.map(([name, sentence]) => (
            <li key={name}>
              <a href={`#${fieldId(name)}`} onClick={(event) => goTo(event, name)}>
                {sentence}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Several fields may share one message; show it once, linked to the first field. */
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
