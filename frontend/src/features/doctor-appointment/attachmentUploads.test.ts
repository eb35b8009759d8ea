import { expect, test } from 'vitest';
import { checkFile } from './attachmentUploads';

const MB = 1024 * 1024;

test.each([
  [{ size: 10 * MB, type: 'application/pdf' }, 0, ''],
  [{ size: 10 * MB + 1, type: 'application/pdf' }, 0, 'This file is larger than 10 MB.'],
  [{ size: 0, type: 'image/png' }, 0, 'This file is empty.'],
  [{ size: 9, type: 'image/svg+xml' }, 0, 'You can add only PDF, JPEG, PNG, and WebP files.'],
  [{ size: 9, type: '' }, 0, ''],
  [{ size: 9, type: 'image/webp' }, 20, 'An appointment can have up to 20 files.'],
])('checks %j with %i existing files: %s', (file, standing, problem) => {
  expect(checkFile(file, standing)).toBe(problem);
});
