import { formatWait } from '@/lib/formatWait';

const RETRY_HINT = 'Please wait a little.';

/** A refusal of the server, or no answer at all (`status` 0, code `network` or `timeout`). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Sentences by field, under the dotted names of the wire. */
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

  /** No response came, or the server itself is in trouble: trying again may help. */
  get isOutage(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** The server's sentence, else the specification's fallback (with a hint when no response came). */
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

/** Whether an error carries one of these codes of the server. */
export function hasCode(error: unknown, ...codes: string[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code);
}
