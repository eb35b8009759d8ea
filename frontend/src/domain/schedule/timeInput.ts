/** Attributes of a time input. */
export const TIME_INPUT = {
  type: 'text',
  inputMode: 'numeric',
  autoComplete: 'off',
  placeholder: 'HH:MM',
  maxLength: 5,
} as const;
