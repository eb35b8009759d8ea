export const KINDS = ['application/pdf', 'image/jpeg', 'image/png', 'image/webp'];
export const MOST_FILES = 20;
const MOST_BYTES = 10 * 1024 * 1024;

/** What can be told of a file before it is sent; the server looks into it. Empty when it may go. */
export function checkFile({ size, type }: Pick<File, 'size' | 'type'>, standing: number): string {
  if (size === 0) return 'This file is empty.';
  if (size > MOST_BYTES) return 'This file is larger than 10 MB.';
  // Some systems name no type at all.
  if (type && !KINDS.includes(type)) return 'Only PDF, JPEG, PNG and WebP files can be added.';
  if (standing >= MOST_FILES) return `A visit holds at most ${MOST_FILES} files.`;
  return '';
}
