import { ApiError, messageOf } from '@/api/errors';
import { toast } from '@/ui/toasts';

/**
 * Return whether a refusal means that the page is out of date: another window or person has
 * changed or removed what it shows. Trying again cannot help, reading the current state does.
 */
export function isOutdated(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 404 || error.status === 409);
}

interface FailedAction {
  /** The sentence for an error of which the server says nothing. */
  fallback: string;
  /** What the action was about, because its row may be gone: "Amina Yusuf, Tue, Dec 8, 2:00 PM". */
  about?: string;
  /** The text that the user typed. */
  typedText?: string;
}

/**
 * Show at the top of the page that an act failed. Call this before refetching: the row or dialog
 * in which the act was started may disappear with the fresh data, and its own error with it.
 */
export function reportFailedAction(
  error: unknown,
  { fallback, about, typedText }: FailedAction,
): void {
  toast.error(messageOf(error, fallback), {
    title: about,
    typedText: typedText?.trim() || undefined,
  });
}
