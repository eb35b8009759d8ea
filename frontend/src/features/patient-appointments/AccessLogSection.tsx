import type { Appointment } from '@/api/types';
import { Card } from '@/ui/Card';
import { Disclosure } from '@/ui/Disclosure';
import { AccessLog } from './AccessLog';

/** Who opened the symptoms and notes of an appointment that has no record yet. */
export default function AccessLogSection({ appointment }: { appointment: Appointment }) {
  return (
    <Card as="section" aria-label="Who can read this" data-print="no">
      <Disclosure summary="Who opened this" lazy>
        <AccessLog appointment={appointment} />
      </Disclosure>
    </Card>
  );
}
