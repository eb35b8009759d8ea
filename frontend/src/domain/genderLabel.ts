import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

const LABELS: Record<string, MessageDescriptor> = {
  male: msg({ message: 'Male', context: 'gender' }),
  female: msg({ message: 'Female', context: 'gender' }),
  other: msg({ message: 'Other', context: 'gender' }),
};

/** Return a gender as text; empty if it isn't given. */
export function genderLabel(gender: string): string {
  const label = LABELS[gender];
  return label ? i18n._(label) : gender;
}

/** The genders as options of a form. */
export function genderOptions(): { value: string; label: string }[] {
  return Object.keys(LABELS).map((value) => ({ value, label: genderLabel(value) }));
}
