import { formatWait } from '@/lib/formatWait';

const RETRY_HINT = 'Please wait a little.';

/** An error response, or no response at all (`status` 0, code `network` or `timeout`). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Messages by field, under the API's dotted names. */
  readonly errors: Record<string, string[]>;
  readonly data: Record<string, unknown>;
  /** Seconds to wait, from Retry-After. */
  readonly retryAfter: number | null;

  constructor(
    status: number,
    answer: {
      message?: string;
      code?: string;
      errors?: Record<string, string[]>;
      data?: Record<string, unknown>;
    } = {},
    retryAfter: number | null = null,
  ) {
    super(answer.message ?? '');
    this.name = 'ApiError';
    this.status = status;
    this.code = answer.code ?? '';
    this.errors = answer.errors ?? {};
    this.data = answer.data ?? {};
    this.retryAfter = retryAfter;
  }

  /** No response arrived, or the server failed: a retry may help. */
  get isOutage(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Return the server's message or the fallback (with a hint if there was no response). */
export function messageOf(error: unknown, fallback: string): string {
  if (error instanceof ApiError) {
    if (error.status === 0) {
      const hint = window.navigator.onLine
        ? 'Check your connection and try again.'
        : "You're offline. Try again when you're back.";
      return `${fallback.replace(/\.$/, '')}. ${hint}`;
    }
    if (error.retryAfter) {
      return (
        error.message.replace(RETRY_HINT, `Try again in ${formatWait(error.retryAfter)}.`) ||
        fallback
      );
    }
    if (error.message) return error.message;
  }
  return fallback;
}

/** Return whether an error has one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code);
}
