import { ApiError, messageOf } from '@/api/errors';
import { toast } from '@/ui/toasts';

/**
 * Return whether an error means that the page is outdated: what it shows was changed or removed
 * elsewhere. A retry cannot help, but a refetch can.
 */
export function isOutdated(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 404 || error.status === 409);
}

interface FailedAction {
  /** The error message if the server sends none. */
  fallback: string;
  /** The subject of the action, because its row may be gone: "Amina Yusuf, Tue, Dec 8, 2:00 PM". */
  about?: string;
  /** The text that the user typed. */
  typedText?: string;
}

/**
 * Report a failed action in a toast. Call this before refetching: fresh data may remove the row or
 * dialog of the action, together with its own error.
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
