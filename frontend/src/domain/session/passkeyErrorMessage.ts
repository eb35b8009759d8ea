import { messageOf } from '@/api/errors';
import { PasskeyError } from '@/lib/passkey';

/** Return the message of an action that may need a passkey, which the browser can fail to return. */
export function passkeyErrorMessage(error: unknown, fallback: string): string {
  return error instanceof PasskeyError ? error.message : messageOf(error, fallback);
}
