import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Role } from '@/api/types';

export const ROLE_LABELS: Record<Role, MessageDescriptor> = {
  patient: msg({ message: 'Patient', context: 'role of an account' }),
  doctor: msg({ message: 'Doctor', context: 'role of an account' }),
  admin: msg({ message: 'Admin', context: 'role of an account' }),
};
