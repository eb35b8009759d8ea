import { useLingui } from '@lingui/react/macro';
import { isDate } from '@/lib/dates';
import { TextInput } from '@/ui/TextInput';
import { useDebouncedParam } from '@/ui/useDebouncedParam';

interface Props {
  from: string | undefined;
  to: string | undefined;
  onChange: (part: { from?: string } | { to?: string }) => void;
  labels?: { from: string; to: string };
  hint?: string;
}

/** Complete dates only: while a year is being typed, browsers report the year 2. */
const isCompleteDate = (text: string | undefined) => !text || (isDate(text) && text >= '1900');

/** A date range, both ends included; open without a date. */
export function DateRange({ from, to, onChange, labels, hint }: Props) {
  const { t } = useLingui();
  const [first, setFirst] = useDebouncedParam(
    from,
    (text) => isCompleteDate(text) && onChange({ from: text }),
  );
  const [last, setLast] = useDebouncedParam(
    to,
    (text) => isCompleteDate(text) && onChange({ to: text }),
  );
  return (
    <>
      <TextInput
        name="from"
        label={labels?.from ?? t({ message: 'From', context: 'date' })}
        hint={hint}
        optional="unmarked"
        type="date"
        max={to}
        value={first}
        onChange={setFirst}
      />
      <TextInput
        name="to"
        label={labels?.to ?? t({ message: 'To', context: 'date' })}
        hint={hint}
        optional="unmarked"
        type="date"
        min={from}
        value={last}
        onChange={setLast}
      />
    </>
  );
}

/** Return a date parameter of the URL; undefined if it is invalid. */
export function dateParam(params: URLSearchParams, name: string): string | undefined {
  const text = params.get(name) ?? '';
  return isDate(text) ? text : undefined;
}
