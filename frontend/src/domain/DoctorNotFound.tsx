import { Trans, useLingui } from '@lingui/react/macro';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { EmptyState } from '@/ui/EmptyState';

/** Shown if no bookable doctor exists at this URL. */
export function DoctorNotFound() {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`Doctor not found or unavailable.`}
      action={<LinkButton href={paths.findDoctors()}>{t`Find another doctor`}</LinkButton>}
    >
      <Trans>The link may be out of date, or this doctor isn’t taking bookings right now.</Trans>
    </EmptyState>
  );
}
