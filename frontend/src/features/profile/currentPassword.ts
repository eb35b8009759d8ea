import { t } from '@lingui/core/macro';
import { ApiError } from '@/api/errors';

/** Forms with the current password: a page has several, each with its own field name. */

export function passwordRequired(): string {
  return t`Enter your password`;
}

/** Run an action with the password; errors get the field name of the form. */
export async function confirmPassword<T>(field: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { currentPassword, ...others } = error.errors;
    if (!currentPassword) throw error;
    const { status, code, message, requestId } = error;
    throw new ApiError(status, {
      code,
      message,
      requestId,
      errors: { ...others, [field]: currentPassword },
    });
  }
}
