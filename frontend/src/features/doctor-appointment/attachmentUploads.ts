import { t } from '@lingui/core/macro';
import { checkDocument } from '@/lib/documentRules';

export const MAX_FILES = 20;

/** Validate a file before uploading; the server inspects its content. Empty if valid. */
export function checkFile(file: Pick<File, 'size' | 'type'>, fileCount: number): string {
  const problem = checkDocument(file);
  if (problem) return problem;
  if (fileCount >= MAX_FILES) return t`An appointment can have up to ${MAX_FILES} files.`;
  return '';
}
