import { Trans, useLingui } from '@lingui/react/macro';
import { Banner } from '@/ui/Banner';

/** Shown to doctors and admins on the booking page. */
export default function NotAPatient({ role }: { role?: string }) {
  const { t } = useLingui();
  return (
    <Banner
      tone="info"
      title={role === 'admin' ? t`You’re signed in as an admin` : t`You’re signed in as a doctor`}
    >
      <Trans>
        Only patients can book appointments. To book for yourself, sign out and sign in as a
        patient.
      </Trans>
    </Banner>
  );
}
