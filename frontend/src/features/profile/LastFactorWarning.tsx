import { Banner } from '@/ui/Banner';

/** The consequence of removing the last second factor. */
export function LastFactorWarning() {
  return (
    <Banner tone="warning">
      This turns two-step sign-in off: your password alone lets you in again, and your recovery
      codes stop working.
    </Banner>
  );
}
