import { t } from '@lingui/core/macro';

const TITLES = /^(dr|prof|mr|mrs|ms|mx)\.?$/i;

/** Return up to two initials without titles: "AR" for "Dr. Ana Ruiz". */
export function initials(name: string): string {
  const words = name
    .trim()
    .split(/\s+/)
    .filter((word) => word && !TITLES.test(word));
  const first = words[0] ?? name.trim();
  const last = words.length > 1 ? words[words.length - 1] : undefined;
  const letters = [first, last].map((word) => (word ? [...word][0] : '')).join('');
  return letters.toLocaleUpperCase() || '?';
}

/** Return one of `count` numbers, always the same for the same name. */
export function nameHash(name: string, count: number): number {
  let hash = 0;
  for (const char of name) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) >>> 0;
  return hash % count;
}

/** Add the title, "Dr. Ana Ruiz", unless the name already has one. */
export function doctorName(name: string): string {
  return /^(dr|prof)\b/i.test(name.trim()) ? name : t`Dr. ${name}`;
}

/** "monday" to "Monday". */
export function capitalize(word: string): string {
  return word.charAt(0).toLocaleUpperCase() + word.slice(1);
}
