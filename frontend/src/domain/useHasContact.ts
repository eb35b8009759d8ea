import { useQuery } from '@tanstack/react-query';
import { configQuery } from '@/api/queries';

/** Return whether the operator has set any contact details; without them, no page asks to contact us. */
export function useHasContact(): boolean {
  const contact = useQuery(configQuery).data?.contact;
  return Object.values(contact ?? {}).some(Boolean);
}
