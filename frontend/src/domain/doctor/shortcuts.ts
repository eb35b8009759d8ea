/** The desk's single keys: which there are, when they count, and how rows are walked. */

export const KEYS = [
  { act: 'next', keys: ['n', 'j'], label: 'Next row' },
  { act: 'previous', keys: ['p', 'k'], label: 'Previous row' },
  { act: 'open', keys: ['o'], label: 'Open the appointment of this row' },
  { act: 'confirm', keys: ['c'], label: 'Confirm the request of this row' },
  { act: 'undo', keys: ['u'], label: 'Undo the confirmation of this row' },
  { act: 'search', keys: ['/'], label: 'Search' },
  { act: 'list', keys: ['l'], label: 'List' },
  { act: 'day', keys: ['d'], label: 'Day' },
  { act: 'week', keys: ['w'], label: 'Week' },
  { act: 'today', keys: ['t'], label: 'Today' },
  { act: 'earlier', keys: ['ArrowLeft'], label: 'Day or week before' },
  { act: 'later', keys: ['ArrowRight'], label: 'Day or week after' },
  { act: 'help', keys: ['?'], label: 'This list' },
] as const;

export type Act = (typeof KEYS)[number]['act'];

/** How a key is written on a keyboard. */
export function keyCap(key: string): string {
  return { ArrowLeft: '←', ArrowRight: '→' }[key] ?? key;
}

type Press = Pick<
  KeyboardEvent,
  'key' | 'target' | 'altKey' | 'ctrlKey' | 'metaKey' | 'defaultPrevented' | 'isComposing'
>;

const TYPED_INTO = 'input, textarea, select, [contenteditable]:not([contenteditable="false"])';
/** Where arrows have a meaning of their own. */
const WALKED = '[data-walk], [role="grid"], [role="menu"], summary';

/** What a press means, or null: never while somebody types, in a dialog, or with another key held. */
export function actionOf(press: Press): Act | null {
  if (press.defaultPrevented || press.isComposing) return null;
  if (press.altKey || press.ctrlKey || press.metaKey) return null;
  const target = press.target instanceof Element ? press.target : null;
  if (target?.closest(TYPED_INTO) || target?.closest('dialog')) return null;
  const shortcut = KEYS.find(({ keys }) => (keys as readonly string[]).includes(press.key));
  if (!shortcut) return null;
  if (press.key.startsWith('Arrow') && target?.closest(WALKED)) return null;
  return shortcut.act;
}

const rowsOf = (root: ParentNode) => [...root.querySelectorAll<HTMLElement>('[data-row]')];

/** The row that has focus. */
export function currentRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('[data-row]') ?? null;
}

/** Take focus to the row after or before; to the first one from elsewhere. */
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

/** Press what does this in the row that has focus. */
export function clickInRow(what: 'open' | 'confirm' | 'undo'): void {
  const row = currentRow();
  const target = row?.matches(`[data-shortcut="${what}"]`)
    ? row
    : row?.querySelector<HTMLElement>(`[data-shortcut="${what}"]`);
  target?.click();
}
