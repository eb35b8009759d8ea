/** Attributes of a time input. */
export const TIME_INPUT = {
  type: 'text',
  inputMode: 'numeric',
  autoComplete: 'off',
  placeholder: '--:--',
  maxLength: 5,
} as const;
