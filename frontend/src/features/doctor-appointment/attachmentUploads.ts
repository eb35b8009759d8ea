import { checkDocument } from '@/lib/documentRules';

export const MAX_FILES = 20;

/** What can be told of a file before it is sent; the server looks into it. Empty when it may go. */
export function checkFile(file: Pick<File, 'size' | 'type'>, fileCount: number): string {
  const problem = checkDocument(file);
  if (problem) return problem;
  if (fileCount >= MAX_FILES) return `An appointment holds at most ${MAX_FILES} files.`;
  return '';
}
