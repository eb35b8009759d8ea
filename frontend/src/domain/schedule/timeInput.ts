/** How a control takes a time. */
export const TIME_INPUT = {
  type: 'text',
  inputMode: 'numeric',
  autoComplete: 'off',
  placeholder: 'HH:MM',
  maxLength: 5,
} as const;
