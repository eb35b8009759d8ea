const KEY = 'reloadedAt';
const AGAIN_MS = 60_000;

/**
 * Reload the page, unless that was done within the last minute: code that is missing again after a
 * reload is no matter of an old tab. Nor is it without a connection, where a reload would lose the
 * page and what was typed there. Tells whether it reloads.
 */
export function reloadOnce(reload: () => void = () => window.location.reload()): boolean {
  if (!window.navigator.onLine) return false;
  try {
    const last = Number(window.sessionStorage.getItem(KEY));
    if (Date.now() - last < AGAIN_MS) return false;
    window.sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    return false;
  }
  reload();
  return true;
}
