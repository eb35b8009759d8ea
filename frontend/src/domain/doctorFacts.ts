import { plural } from '@lingui/core/macro';
import type { Doctor } from '@/api/types';

/** "12 years of experience". */
export function experienceText({ experience }: Pick<Doctor, 'experience'>): string {
  return plural(experience, {
    0: 'In the first year of practice',
    one: '# year of experience',
    other: '# years of experience',
  });
}

/** "Boston, MA". */
export function locationText({ hospital: { address } }: Pick<Doctor, 'hospital'>): string {
  return [address.city, address.state].filter(Boolean).join(', ');
}
