import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { SPECIALIZATIONS } from './options';

const LABELS: Record<(typeof SPECIALIZATIONS)[number], MessageDescriptor> = {
  Cardiology: msg`Cardiology`,
  Dermatology: msg`Dermatology`,
  Endocrinology: msg`Endocrinology`,
  Gastroenterology: msg`Gastroenterology`,
  'General Medicine': msg`General Medicine`,
  Gynecology: msg`Gynecology`,
  Neurology: msg`Neurology`,
  Oncology: msg`Oncology`,
  Ophthalmology: msg`Ophthalmology`,
  Orthopedics: msg`Orthopedics`,
  Pediatrics: msg`Pediatrics`,
  Psychiatry: msg`Psychiatry`,
  Pulmonology: msg`Pulmonology`,
  Radiology: msg`Radiology`,
  Surgery: msg`Surgery`,
  Urology: msg`Urology`,
  Other: msg({ message: 'Other', context: 'specialization' }),
};

/** Return the name of a specialization in the language of the interface. */
export function specializationLabel(specialization: string): string {
  const label = (LABELS as Record<string, MessageDescriptor>)[specialization];
  return label ? i18n._(label) : specialization;
}

export function specializationOptions(
  specializations: readonly string[] = Object.keys(LABELS),
): { value: string; label: string }[] {
  return specializations.map((value) => ({ value, label: specializationLabel(value) }));
}
