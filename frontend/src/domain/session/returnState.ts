/**
 * The state of a sign-in page that was opened on top of the page to come back to: after sign-in one
 * goes back to that entry. A second one would let the browser's Back lead to a form that is done.
 */
export const RETURN_STATE = 'comeBack';
