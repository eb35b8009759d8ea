import { t } from '@lingui/core/macro';
import { isDate, today } from './dates';

/** Checks shared by several forms. Each returns an error message or nothing. */

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export function checkEmail(email: string): string | undefined {
  if (!email.trim()) return t`Enter your email address`;
  if (!EMAIL.test(email.trim())) return t`Enter an email address like name@example.com`;
}

/** The three inputs of a date. */
export const DATE_PARTS = ['day', 'month', 'year'] as const;
export type DatePart = (typeof DATE_PARTS)[number];

/** Split an incomplete `YYYY-MM-DD`: any part may be empty or invalid. */
export function splitDate(value: string): Record<DatePart, string> {
  const [year = '', month = '', day = ''] = value.split('-');
  return { day, month, year };
}

/**
 * Return the first invalid part of a date (or, for a `birthday`, of one in the future); null if no
 * single part is invalid.
 */
export function invalidDatePart(value: string, birthday = false): DatePart | null {
  const { day, month, year } = splitDate(value);
  if (!day && !month && !year) return null;
  if (!day) return 'day';
  if (!month) return 'month';
  if (!/^\d{4}$/.test(year)) return 'year';
  if (birthday && (year > today().slice(0, 4) || year < '1900')) return 'year';
  if (isDate(value)) return null;
  return Number(month) < 1 || Number(month) > 12 ? 'month' : 'day';
}

const EXAMPLE: Record<DatePart, string> = { day: '27', month: '3', year: '1985' };

/** Return an example of a birth date, its parts in the order of the inputs. */
export function exampleBirthDate(): string {
  return DATE_PARTS.map((part) => EXAMPLE[part]).join(' ');
}

export function checkBirthDate(date: string): string | undefined {
  if (!date) return t`Enter your date of birth`;
  const wrong = invalidDatePart(date, true);
  const { year } = splitDate(date);
  if (wrong === 'year' && year.length < 4) {
    return t`Enter your year of birth with four digits, such as 1985`;
  }
  if (wrong === 'year' && year < '1900') return t`Enter a date of birth in or after 1900`;
  if (wrong === 'day' || wrong === 'month') {
    const example = exampleBirthDate();
    return t`Enter a valid date of birth, such as ${example}`;
  }
  if (wrong || date > today()) return t`Your date of birth must be in the past`;
}

const PHONE =
  /^[+\uff0b]?[\p{Nd}(][\p{Nd}\s()./\u2010-\u2015-]*(?:[\s,;]*(?:extension|ext\.?|x|#|;ext=)[\s.:]*\p{Nd}{1,7})?$/iu;
const PHONE_EXAMPLE = '+1 202 555 0100';
const DATE = /^(?:(?:19|20)\d\d([-./ ])\d{1,2}\1\d{1,2}|\d{1,2}([-./ ])\d{1,2}\2(?:19|20)\d\d)$/;

/** Characters that no phone number has; the server knows the lengths by country. */
export function checkPhone(phone: string): string | undefined {
  const text = phone.trim();
  if (!text) return;
  if (DATE.test(text))
    return t`This looks like a date. Enter a phone number like ${PHONE_EXAMPLE}.`;
  if (!PHONE.test(text) || (text.match(/\p{Nd}/gu) ?? []).length < 6) {
    return t`Enter a phone number like ${PHONE_EXAMPLE}.`;
  }
}

/** Return the message unless the text is a number of 0 or more. */
export function checkNotNegative(text: string, message: string): string | undefined {
  const number = Number(text);
  if (Number.isNaN(number) || number < 0) return message;
}

export function checkHours(start: string, end: string): string | undefined {
  if (Boolean(start) !== Boolean(end)) return t`Enter both a start and an end`;
  if (start && end <= start) return t`Working hours must end after they start`;
}

/** Keep only the fields with an error. */
export function withoutEmpty(checks: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(checks).filter((entry): entry is [string, string] => Boolean(entry[1])),
  );
}
