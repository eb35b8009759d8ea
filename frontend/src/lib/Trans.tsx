import { Trans as LinguiTrans, type TransProps } from '@lingui/react';

/** What Lingui would read as a tag or an escape sequence in a text that a user wrote. */
const MARKUP = /[<\\]/;

/** Lingui's component; it shows text in values literally. @public Imported by what the macro `Trans` becomes. */
export function Trans({ values, ...props }: TransProps) {
  return <LinguiTrans {...props} values={values && keepLiteral(values)} />;
}

/** Pass text with markup as a list of nodes, which Lingui does not parse. */
function keepLiteral(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && MARKUP.test(value) ? [value] : value,
    ]),
  );
}
