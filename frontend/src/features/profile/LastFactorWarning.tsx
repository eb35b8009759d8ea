import { Banner } from '@/ui/Banner';

/** What follows once nothing is left to take the second step with. */
export function LastFactorWarning() {
  return (
    <Banner tone="warning">
      This turns two-step sign-in off: your password alone lets you in again, and your recovery
      codes stop working.
    </Banner>
  );
}
