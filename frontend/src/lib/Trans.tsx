import { Trans as LinguiTrans, type TransProps } from '@lingui/react';

/** Lingui's component; it shows tags in values literally. @public Imported by what the macro `Trans` becomes. */
export function Trans({ values, ...props }: TransProps) {
  return <LinguiTrans {...props} values={values && keepLiteral(values)} />;
}

/** Pass text with tags as a list of nodes, which Lingui does not parse; lib/i18n.ts keeps escape sequences. */
function keepLiteral(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && value.includes('<') ? [value] : value,
    ]),
  );
}
