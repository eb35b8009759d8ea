import { t } from '@lingui/core/macro';
import { formatWait } from '@/lib/formatWait';

/** An error response, or no response at all (`status` 0, code `network` or `timeout`). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** Messages by field, under the API's dotted names. */
  readonly errors: Record<string, string[]>;
  readonly data: Record<string, unknown>;
  /** The request in the server's log. */
  readonly requestId: string;
  /** Seconds to wait, from Retry-After. */
  readonly retryAfter: number | null;

  constructor(
    status: number,
    answer: {
      message?: string;
      code?: string;
      errors?: Record<string, string[]>;
      data?: Record<string, unknown>;
      requestId?: string;
    } = {},
    retryAfter: number | null = null,
  ) {
    super(answer.message ?? '');
    this.name = 'ApiError';
    this.status = status;
    this.code = answer.code ?? '';
    this.errors = answer.errors ?? {};
    this.data = answer.data ?? {};
    this.requestId = answer.requestId ?? '';
    this.retryAfter = retryAfter;
  }

  /** No response arrived, or the server failed: a retry may help. */
  get isOutage(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/**
 * Return the server's message, else the fallback: with a hint if there was no response, and with
 * the id of the request if the server failed unexpectedly.
 */
export function messageOf(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  if (error.status === 0) return outageText(fallback);
  const { code, message, requestId, retryAfter } = error;
  if (retryAfter && code === 'too_many') {
    const wait = formatWait(retryAfter);
    return t`Too many attempts. Try again in ${wait}.`;
  }
  if (message && code !== 'server_error') return message;
  const failure = withoutPeriod(message || fallback);
  return requestId
    ? t`${failure}. Please try again. (Request ID: ${requestId})`
    : message || fallback;
}

function outageText(fallback: string): string {
  const failure = withoutPeriod(fallback);
  return window.navigator.onLine
    ? t`${failure}. Check your connection and try again.`
    : t`${failure}. You’re offline. Try again when you’re back.`;
}

function withoutPeriod(sentence: string): string {
  return sentence.replace(/[.。]$/, '');
}

/** Return whether an error has one of these codes. */
export function hasCode(error: unknown, ...codes: string[]): error is ApiError {
  return error instanceof ApiError && codes.includes(error.code);
}
