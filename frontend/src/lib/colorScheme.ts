import { readStorage, writeStorage } from './storage';

/** The user's color scheme; `system` follows the device. */
export type ColorScheme = 'system' | 'light' | 'dark';

// The spelling of preferences that browsers have stored.
const KEY = 'colours';

export function getColorScheme(): ColorScheme {
  const stored = readStorage(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Set the color scheme on <html> for theme.css. */
export function applyColorScheme(colorScheme: ColorScheme = getColorScheme()): void {
  const root = document.documentElement;
  if (colorScheme === 'system') delete root.dataset.theme;
  else root.dataset.theme = colorScheme;
}

export function setColorScheme(colorScheme: ColorScheme): void {
  writeStorage(KEY, colorScheme === 'system' ? null : colorScheme);
  applyColorScheme(colorScheme);
}
