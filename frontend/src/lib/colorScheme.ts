import { readStorage, writeStorage } from './storage';

/** The user's color scheme; `system` follows the device. */
export type ColorScheme = 'system' | 'light' | 'dark';

const KEY = 'colours';

export function getColorScheme(): ColorScheme {
  const stored = readStorage(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Set the color scheme on <html> for theme.css. */
export function applyColorScheme(colours: ColorScheme = getColorScheme()): void {
  const root = document.documentElement;
  if (colours === 'system') delete root.dataset.theme;
  else root.dataset.theme = colours;
}

export function setColorScheme(colours: ColorScheme): void {
  writeStorage(KEY, colours === 'system' ? null : colours);
  applyColorScheme(colours);
}
