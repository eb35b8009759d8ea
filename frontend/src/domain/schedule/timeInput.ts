/** Attributes of a time input. */
export const TIME_INPUT = {
  type: 'text',
  inputMode: 'numeric',
  autoComplete: 'off',
  placeholder: '--:--',
  maxLength: 8,
} as const;
