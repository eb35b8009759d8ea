export type Option =
  | string
  | {
      value: string;
      label: string;
      /** The language of the label, if it is not that of the page. */
      lang?: string;
    };

export function optionOf(option: Option): Exclude<Option, string> {
  return typeof option === 'string' ? { value: option, label: option } : option;
}
