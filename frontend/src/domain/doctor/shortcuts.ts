import { msg } from '@lingui/core/macro';

/** Single-key shortcuts of the doctor's pages, and moving between rows. */

export const SHORTCUTS = [
  { action: 'next', keys: ['n', 'j'], label: msg`Next row` },
  { action: 'previous', keys: ['p', 'k'], label: msg`Previous row` },
  { action: 'open', keys: ['o'], label: msg`Open the appointment in this row` },
  { action: 'confirm', keys: ['c'], label: msg`Confirm the request in this row` },
  { action: 'undo', keys: ['u'], label: msg`Undo the confirmation in this row` },
  { action: 'search', keys: ['/'], label: msg`Search` },
  { action: 'list', keys: ['l'], label: msg`Show the list` },
  { action: 'day', keys: ['d'], label: msg`Show one day` },
  { action: 'week', keys: ['w'], label: msg`Show one week` },
  { action: 'today', keys: ['t'], label: msg`Go to today` },
  { action: 'earlier', keys: ['ArrowLeft'], label: msg`Previous day or week` },
  { action: 'later', keys: ['ArrowRight'], label: msg`Next day or week` },
  { action: 'help', keys: ['?'], label: msg`Show this list` },
] as const;

export type ShortcutAction = (typeof SHORTCUTS)[number]['action'];

/** Return the label of a key. */
export function keyLabel(key: string): string {
  return { ArrowLeft: '←', ArrowRight: '→' }[key] ?? key;
}

type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'target' | 'altKey' | 'ctrlKey' | 'metaKey' | 'defaultPrevented' | 'isComposing'
>;

const TEXT_INPUTS = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';
/** Elements with their own arrow key behavior. */
const ARROW_KEY_WIDGETS = '[data-walk], [role="grid"], [role="menu"], summary';

/** Return the action of a key press; null in text fields, in dialogs and with modifiers. */
export function actionForKey(event: KeyPress): ShortcutAction | null {
  if (event.defaultPrevented || event.isComposing) return null;
  if (event.altKey || event.ctrlKey || event.metaKey) return null;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(TEXT_INPUTS) || target?.closest('dialog')) return null;
  const shortcut = SHORTCUTS.find(({ keys }) => (keys as readonly string[]).includes(event.key));
  if (!shortcut) return null;
  if (event.key.startsWith('Arrow') && target?.closest(ARROW_KEY_WIDGETS)) return null;
  return shortcut.action;
}

const rowsOf = (root: ParentNode) => [...root.querySelectorAll<HTMLElement>('[data-row]')];

/** Return the focused row. */
export function currentRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('[data-row]') ?? null;
}

/** Focus the next or previous row, or the first one. */
export function focusNextRow(step: 1 | -1): void {
  const rows = rowsOf(document).filter((row) => row.checkVisibility?.() ?? true);
  const current = currentRow();
  const at = current ? rows.indexOf(current) + step : 0;
  const row = rows[at];
  if (!row) return;
  const target = row.matches('a, button') ? row : row.querySelector<HTMLElement>('h2, h3, a');
  target?.focus();
  row.scrollIntoView({ block: 'nearest' });
}

/** Click the button of an action in the focused row. */
export function clickInRow(action: 'open' | 'confirm' | 'undo'): void {
  const row = currentRow();
  const target = row?.matches(`[data-shortcut="${action}"]`)
    ? row
    : row?.querySelector<HTMLElement>(`[data-shortcut="${action}"]`);
  target?.click();
}
