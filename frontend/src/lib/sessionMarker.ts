/**
 * Mark on <html> that there may be a session. Pages are prerendered for visitors; theme.css hides
 * the `data-visitor` parts until the session is known.
 */
export function markSession(hasSession: boolean): void {
  document.documentElement.toggleAttribute('data-session', hasSession);
}
