import { useLingui } from '@lingui/react/macro';
import type { Appointment } from '@/api/types';
import { Card } from '@/ui/Card';
import { Disclosure } from '@/ui/Disclosure';
import { AccessLog } from './AccessLog';

/** Who opened the symptoms and notes of an appointment that has no record yet. */
export default function AccessLogSection({ appointment }: { appointment: Appointment }) {
  const { t } = useLingui();
  return (
    <Card as="section" aria-label={t`Who can read this`} data-print="no">
      <Disclosure summary={t`Who opened this`} lazy>
        <AccessLog appointment={appointment} />
      </Disclosure>
    </Card>
  );
}
