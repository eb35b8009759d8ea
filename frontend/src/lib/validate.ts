import { isDate, today } from './dates';

/** Checks that several forms share. Each gives a sentence, or nothing when all is well. */

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export function checkEmail(email: string): string | undefined {
  if (!email.trim()) return 'Enter your e-mail address';
  if (!EMAIL.test(email.trim())) return 'Enter an e-mail address like name@example.com';
}

export function checkBirthDate(date: string): string | undefined {
  if (!date) return 'Enter your date of birth';
  if (!isDate(date)) return 'Enter a real date of birth, such as 27 3 1985';
  if (date > today()) return 'Your date of birth must be in the past';
}

export function checkNotNegative(text: string, what: string): string | undefined {
  const number = Number(text);
  if (Number.isNaN(number) || number < 0) return `${what} must be 0 or more`;
}

export function checkHours(start: string, end: string): string | undefined {
  if (Boolean(start) !== Boolean(end)) return 'Enter both a start and an end';
  if (start && end <= start) return 'Working hours must end after they start';
}

/** Keep the fields that have a complaint. */
export function complaints(checks: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(checks).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}
