/** The files that the server takes beside portraits: accounts/files/validation.py. */
export const DOCUMENT_KINDS = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp'];
const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024;

/** What can be told of a file before it is sent; the server looks into it. Empty when it may go. */
export function checkDocument({ size, type }: Pick<File, 'size' | 'type'>): string {
  if (size === 0) return 'This file is empty.';
  if (size > MAX_DOCUMENT_BYTES) return 'This file is larger than 10 MB.';
  // Some systems name no type at all.
  if (type && !DOCUMENT_KINDS.includes(type)) {
    return 'Only PDF, JPEG, PNG and WebP files can be added.';
  }
  return '';
}
