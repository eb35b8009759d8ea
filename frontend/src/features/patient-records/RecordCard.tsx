import { Trans, useLingui } from '@lingui/react/macro';
import type { Appointment } from '@/api/types';
import { StatusBadge } from '@/domain/appointment/StatusBadge';
import { FollowUpButton } from '@/domain/record/FollowUpButton';
import { PrescriptionButton } from '@/domain/record/PrescriptionButton';
import { RecordSections } from '@/domain/record/RecordSections';
import { changeCountText, hasMedicines, recordContent } from '@/domain/record/record';
import { formatDate } from '@/lib/dates';
import { formatFacts } from '@/lib/formatList';
import { doctorName } from '@/lib/names';
import { paths } from '@/lib/paths';
import { specializationLabel } from '@/lib/specializations';
import { Card } from '@/ui/Card';
import { Inline } from '@/ui/Inline';
import { Link } from '@/ui/Link';
import styles from './RecordsPage.module.css';

/** One past appointment and its record. */
export function RecordCard({ appointment }: { appointment: Appointment }) {
  const { t } = useLingui();
  const { doctor } = appointment;
  const record = recordContent(appointment);
  const date = formatDate(appointment.appointmentDate);
  const changed = changeCountText(appointment.record.version);
  return (
    <Card as="li" gap={4} className={styles.record}>
      <Inline rowGap={2} gap={4} align="start" justify="between">
        <div>
          <h2 className={styles.date}>
            <Link href={paths.patientAppointment(appointment._id)}>
              <time dateTime={appointment.appointmentDate}>{date}</time>
            </Link>
          </h2>
          <p>
            {formatFacts([doctorName(doctor.name), specializationLabel(doctor.specialization)])}
          </p>
        </div>
        {(appointment.status !== 'completed' || appointment.attended === false) && (
          <StatusBadge status={appointment.status} attended={appointment.attended} />
        )}
      </Inline>
      {appointment.attended === false && (
        <p className="strong">{t`You missed this appointment.`}</p>
      )}
      <RecordSections
        record={record}
        appointmentDate={appointment.appointmentDate}
        reader="patient"
        patientNotes={appointment.notes.patient}
        next={<FollowUpButton appointment={appointment} />}
      />
      <Inline rowGap={2} gap={4} data-print="no">
        {hasMedicines(record) && (
          <PrescriptionButton appointmentId={appointment._id} about={date} />
        )}
        <Link href={paths.patientAppointment(appointment._id)} className={styles.more}>
          <Trans>
            Files, history and access log
            <span className="visually-hidden"> for the appointment on {date}</span>
          </Trans>
        </Link>
        {changed && <span className="muted small">{changed}</span>}
      </Inline>
    </Card>
  );
}
