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

/** Note what somebody has typed or chosen in a drawn page, until React has taken it over. */
export function captureTypedInput(root: HTMLElement): void {
  capture(root);
  // Between this moment and the first commit, too, the browser takes keys that React does not see.
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

/** Say a value to React as a person would, past its own setter: it knows of no other change. */
function dispatchValue(field: Field, value: string) {
  const kind = field instanceof HTMLInputElement ? HTMLInputElement : HTMLSelectElement;
  const event = field instanceof HTMLInputElement ? 'input' : 'change';
  // What it took over with the field is none of its own state, and no change either: so first the other one.
  for (const each of [isPrerenderedField(field), value]) {
    Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(field, each);
    field.dispatchEvent(new Event(event, { bubbles: true }));
  }
}

/** Bring what was noted into the page once React has it; stands beside the page, to come when that has come. */
export function RestoreTypedInput() {
  useEffect(() => {
    listening.abort();
    listening = new AbortController();
    const noted = inputStates;
    inputStates = [];
    if (noted.length === 0) return;
    const fieldByName = new Map(fields(document).map((field) => [field.name, field]));
    for (const { name, value, hasFocus, isNew } of noted) {
      const field = fieldByName.get(name);
      if (!field) continue;
      if (hasFocus) field.focus();
      if (isNew) dispatchValue(field, value);
    }
  }, []);
  return null;
}
