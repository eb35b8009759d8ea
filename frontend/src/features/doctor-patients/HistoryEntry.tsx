import { Trans, useLingui } from '@lingui/react/macro';
import type { Appointment } from '@/api/types';
import { StatusBadge } from '@/domain/appointment/StatusBadge';
import { MedicineList } from '@/domain/record/MedicineList';
import { formatDayTime } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Card } from '@/ui/Card';
import { FactList } from '@/ui/FactList';
import { Link } from '@/ui/Link';
import { Toolbar } from '@/ui/Toolbar';

/** One earlier appointment: reason, diagnosis and prescription. */
export function HistoryEntry({ appointment }: { appointment: Appointment }) {
  const { t } = useLingui();
  const { prescription } = appointment;
  const closed = appointment.status === 'completed';
  return (
    <Card as="li" tight gap={3}>
      <Toolbar rowGap={1} gap={4}>
        <h3 className="card-title">
          <Link href={paths.doctorAppointment(appointment._id)}>
            <time dateTime={appointment.startsAt}>
              {formatDayTime(appointment.appointmentDate, appointment.appointmentTime)}
            </time>
          </Link>
        </h3>
        <StatusBadge status={appointment.status} attended={appointment.attended} />
      </Toolbar>
      <FactList short>
        <Fact name={t`Symptoms`} text={appointment.symptoms} always />
        <Fact name={t`Diagnosis`} text={appointment.diagnosis} always={closed} />
        {prescription.items.length > 0 && (
          <div>
            <dt>
              <Trans>Medicines</Trans>
            </dt>
            <dd>
              <MedicineList items={prescription.items} />
            </dd>
          </div>
        )}
        <Fact
          name={t`Prescription`}
          text={prescription.notes}
          always={closed && prescription.items.length === 0}
        />
        <Fact name={t`Notes`} text={appointment.notes.doctor} />
      </FactList>
    </Card>
  );
}

/** A field of the appointment; omitted if empty, unless `always` is set. */
function Fact({ name, text, always }: { name: string; text: string; always?: boolean }) {
  if (!text && !always) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd className={text ? 'multiline' : 'muted'}>{text || <Trans>None</Trans>}</dd>
    </div>
  );
}
