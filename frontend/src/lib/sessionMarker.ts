/**
 * Say on <html> that there may be a session. What is drawn before the page's code runs is drawn for
 * visitors; theme.css keeps its parts `data-visitor` unseen until it is known who is here.
 */
export function markSession(hasSession: boolean): void {
  document.documentElement.toggleAttribute('data-session', hasSession);
}
