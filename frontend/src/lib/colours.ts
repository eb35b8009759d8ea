import { read, write } from './storage';

/** Which colours the person wants; `system` follows the device. */
export type Colours = 'system' | 'light' | 'dark';

const KEY = 'colours';

export function chosenColours(): Colours {
  const stored = read(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Put the choice on <html>, where theme.css reads it. */
export function applyColours(colours: Colours = chosenColours()): void {
  const root = document.documentElement;
  if (colours === 'system') delete root.dataset.theme;
  else root.dataset.theme = colours;
}

export function chooseColours(colours: Colours): void {
  write(KEY, colours === 'system' ? null : colours);
  applyColours(colours);
}
