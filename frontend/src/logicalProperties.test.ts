import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Properties and values that name a side of the screen, where CSS has one that follows the script. */
const PHYSICAL = [
  /(^|[\s;{])(scroll-)?(margin|padding)-(left|right|top|bottom)\s*:/,
  /(^|[\s;{])border-(left|right|top|bottom)(-\w+)*\s*:/,
  /(^|[\s;{])(left|right|top|bottom)\s*:/,
  /(^|[\s;{])(text-align|float|clear)\s*:\s*(left|right)\b/,
];

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.css'),
);

it('uses only logical properties in styles', () => {
  const violations = files.flatMap((file) =>
    readFileSync(`src/${file}`, 'utf8')
      .split('\n')
      .filter((line) => PHYSICAL.some((pattern) => pattern.test(line)))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(files).not.toEqual([]);
  expect(violations).toEqual([]);
});
