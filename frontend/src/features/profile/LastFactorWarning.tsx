import { useLingui } from '@lingui/react/macro';
import { Banner } from '@/ui/Banner';

/** The consequence of removing the last second factor. */
export function LastFactorWarning() {
  const { t } = useLingui();
  return (
    <Banner tone="warning">
      {t`This turns two-step sign-in off: your password alone will be enough to sign in, and your recovery codes will stop working.`}
    </Banner>
  );
}
