/**
 * The history state of a sign-in page that was opened on top of another page. After sign-in, go
 * back to that entry: a new one would let the Back button lead to a submitted form.
 */
export const RETURN_STATE = 'comeBack';
