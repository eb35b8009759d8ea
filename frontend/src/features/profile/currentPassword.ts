import { ApiError } from '@/api/errors';

/** Forms that ask for the password again: several on one page, each with a field of its own name. */

export const PASSWORD_REQUIRED = 'Enter your password';

/** Do what takes the password, and name a refusal of it as the form's own field is called. */
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
