const KEY = 'reloadedAt';
const AGAIN_MS = 60_000;

/**
 * Reload the page, unless that happened within the last minute: code that is still missing after a
 * reload has another cause than an outdated tab. Offline, a reload would lose the page and its
 * input. Returns whether it reloads.
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
