import { t } from '@lingui/core/macro';

/** The types of uploaded documents: accounts/files/validation.py. */
export const DOCUMENT_KINDS = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp'];
const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024;

/** Validate a file before uploading; the server inspects its content. Empty if valid. */
export function checkDocument({ size, type }: Pick<File, 'size' | 'type'>): string {
  if (size === 0) return t`This file is empty.`;
  if (size > MAX_DOCUMENT_BYTES) return t`This file is larger than 10 MB.`;
  // Some systems report no type.
  if (type && !DOCUMENT_KINDS.includes(type)) {
    return t`You can add only PDF, JPEG, PNG, and WebP files.`;
  }
  return '';
}
