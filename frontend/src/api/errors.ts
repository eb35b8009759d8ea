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

  /** Nobody answered, or the server itself is in trouble: trying again may help. */
  get isOutage(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** The server's sentence, else the specification's fallback (with a hint when nobody answered). */
export function messageOf(error: unknown, fallback: string): string {
  if (error instanceof ApiError) {
    if (error.status === 0) {
      return `${fallback.replace(/\.$/, '')}. Check your connection and try again.`;
    }
    if (error.message) return error.message;
  }
  return fallback;
}

/** Tell whether an error carries one of these codes of the server. */
export function hasCode(error: unknown, ...codes: string[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code);
}
