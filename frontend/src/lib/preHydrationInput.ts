import { useEffect } from 'react';

type Field = HTMLInputElement | HTMLSelectElement;

interface InputState {
  name: string;
  value: string;
  hasFocus: boolean;
  isNew: boolean;
}

const fields = (root: ParentNode) =>
  [...root.querySelectorAll<Field>('input[name], select[name]')].filter(
    ({ type }) => type !== 'checkbox' && type !== 'radio',
  );

const isPrerenderedField = (field: Field) =>
  field instanceof HTMLInputElement ? field.defaultValue : (field.options[0]?.value ?? '');

let inputStates: InputState[] = [];
let listening = new AbortController();

/** Capture what users type or select in a prerendered page before React hydrates it. */
export function captureTypedInput(root: HTMLElement): void {
  capture(root);
  // Before the first commit, too, React does not see input events.
  const { signal } = listening;
  root.addEventListener('input', () => capture(root), { capture: true, signal });
}

function capture(root: ParentNode): void {
  inputStates = fields(root)
    .map((field) => ({
      name: field.name,
      value: field.value,
      hasFocus: field === document.activeElement,
      isNew: field.value !== isPrerenderedField(field),
    }))
    .filter(({ isNew, hasFocus }) => isNew || hasFocus);
}

/**
 * Set a value like a user would: through the native setter and an event, else React does not
 * notice.
 */
function dispatchValue(field: Field, value: string) {
  const kind = field instanceof HTMLInputElement ? HTMLInputElement : HTMLSelectElement;
  const event = field instanceof HTMLInputElement ? 'input' : 'change';
  // React ignores an event if the value equals the one it hydrated, so set the prerendered value
  // first.
  for (const each of [isPrerenderedField(field), value]) {
    Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(field, each);
    field.dispatchEvent(new Event(event, { bubbles: true }));
  }
}

/**
 * Restore the captured input after hydration; rendered beside the page to mount together with it.
 */
export function RestoreTypedInput() {
  useEffect(() => {
    listening.abort();
    listening = new AbortController();
    const captured = inputStates;
    inputStates = [];
    if (captured.length === 0) return;
    const fieldByName = new Map(fields(document).map((field) => [field.name, field]));
    for (const { name, value, hasFocus, isNew } of captured) {
      const field = fieldByName.get(name);
      if (!field) continue;
      if (hasFocus) field.focus();
      if (isNew) dispatchValue(field, value);
    }
  }, []);
  return null;
}
