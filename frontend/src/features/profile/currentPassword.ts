import { ApiError } from '@/api/errors';

/** Forms with the current password: a page has several, each with its own field name. */

export const PASSWORD_REQUIRED = 'Enter your password';

/** Run an action with the password; errors get the field name of the form. */
export async function confirmPassword<T>(field: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { currentPassword, ...others } = error.errors;
    if (!currentPassword) throw error;
    throw new ApiError(error.status, {
      code: error.code,
      message: error.message,
      errors: { ...others, [field]: currentPassword },
    });
  }
}
