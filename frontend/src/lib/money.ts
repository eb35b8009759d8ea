import { formatLocale } from './locale';

const formatters = new Map<string, Intl.NumberFormat>();

/** Format an amount: "$120" or "$99.50"; whole amounts without cents. */
export function formatMoney(amount: number, currency: string): string {
  const whole = Number.isInteger(amount);
  const locale = formatLocale();
  const key = locale + currency + whole;
  const formatter =
    formatters.get(key) ??
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: whole ? 0 : undefined,
      maximumFractionDigits: whole ? 0 : undefined,
    });
  // Cached: creating one takes longer than hundreds of uses.
  formatters.set(key, formatter);
  return formatter.format(amount);
}
