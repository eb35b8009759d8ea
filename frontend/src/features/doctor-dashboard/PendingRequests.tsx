import { Trans, useLingui } from '@lingui/react/macro';
import { useRef, useState } from 'react';
import type { Appointment, Dashboard } from '@/api/types';
import { AppointmentTime } from '@/domain/appointment/AppointmentTime';
import { AppointmentActions } from '@/domain/appointment/doctor/AppointmentActions';
import { PatientRequests } from '@/domain/appointment/doctor/PatientRequests';
import { StatusBadge } from '@/domain/appointment/StatusBadge';
import { deadline } from '@/domain/appointment/statusText';
import { CountBadge } from '@/domain/CountBadge';
import { hasPatientRequest, isAwaitingPatient, useStableRows } from '@/domain/doctor/useStableRows';
import { formatAge } from '@/lib/age';
import { paths } from '@/lib/paths';
import { Button } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { Inline } from '@/ui/Inline';
import { ClockIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { Stack } from '@/ui/Stack';
import { useNow } from '@/ui/useNow';
import styles from './dashboard.module.css';

/** Requests due within this time are highlighted. */
const SOON_MS = 4 * 3_600_000;
/** The number of rows shown at first on phones. */
const MAX_COLLAPSED = 3;

type Props = Pick<Dashboard, 'waiting' | 'asking' | 'totals'>;

/** Return whether a request is answered by a proposal of the doctor. */
const isUnanswered = (appointment: Appointment) =>
  appointment.status === 'pending' && !isAwaitingPatient(appointment);
const hasCancelRequest = (appointment: Appointment) => appointment.cancelRequest !== null;

/** What needs the doctor's reply: cancellation requests, proposed times, then requests by deadline. */
export function PendingRequests({ waiting, asking, totals }: Props) {
  const { t } = useLingui();
  const [all, setAll] = useState(false);
  const sortedRequests = [...asking].sort(
    (a, b) => Number(hasCancelRequest(b)) - Number(hasCancelRequest(a)),
  );
  const first = useStableRows(sortedRequests, hasPatientRequest) ?? [];
  // Show each appointment once.
  const requests = useStableRows(
    waiting.filter(({ _id }) => !first.some((each) => each._id === _id)),
    isUnanswered,
  );
  const rows = [...first, ...(requests ?? [])];
  const hiddenCount = rows.length - MAX_COLLAPSED;
  const total = totals.waiting;
  return (
    <Stack as="section" gap={3} aria-labelledby="waiting">
      <Inline rowGap={0} align="baseline">
        <h2 id="waiting">
          <Trans>Waiting for your reply</Trans>
        </h2>
        {total > 0 && <CountBadge>{total}</CountBadge>}
      </Inline>
      {rows.length === 0 ? (
        <EmptyState title={t`No requests`}>
          <Trans>New requests appear here.</Trans>
        </EmptyState>
      ) : (
        <Stack as="ul" gap={3} className={styles.list} data-few={all ? undefined : ''}>
          {rows.map((appointment) => (
            <Request key={appointment._id} appointment={appointment} />
          ))}
        </Stack>
      )}
      {!all && hiddenCount > 0 && (
        <Button variant="quiet" className={styles.showAll} onClick={() => setAll(true)}>
          <Trans>Show {hiddenCount} more</Trans>
        </Button>
      )}
      {total > waiting.length + asking.length && (
        <Link href={paths.doctorAppointments({ waiting: 'true' })}>
          <Trans>View all {total}</Trans>
        </Link>
      )}
    </Stack>
  );
}

function Request({ appointment }: { appointment: Appointment }) {
  const name = useRef<HTMLHeadingElement>(null);
  const now = useNow();
  const focusName = () => name.current?.focus();
  const pending = isUnanswered(appointment);
  const by = deadline(appointment, 'doctor');
  const age = formatAge(appointment.createdAt, new Date(now));
  const msLeft = appointment.respondBy ? Date.parse(appointment.respondBy) - now : null;
  return (
    <Card as="li" tight gap={2} data-row="">
      <Inline align="baseline" justify="between" wrap={false} className={styles.requestHead}>
        <h3 ref={name} tabIndex={-1} className="card-title">
          <Link href={paths.doctorAppointment(appointment._id)} data-shortcut="open">
            {appointment.patient.name}
          </Link>
        </h3>
        {pending ? (
          <span className="muted small">
            <Trans>Waiting for {age}</Trans>
          </span>
        ) : (
          !hasPatientRequest(appointment) && (
            <StatusBadge status={appointment.status} attended={appointment.attended} />
          )
        )}
      </Inline>
      <AppointmentTime appointment={appointment} />
      {appointment.outsideHours && (
        <p className="attention">
          <Trans>Outside your hours</Trans>
        </p>
      )}
      {appointment.symptoms && <p className="clamp">{appointment.symptoms}</p>}
      <PatientRequests appointment={appointment} heading="h4" onDone={focusName} />
      {pending && by && (
        <Inline
          as="p"
          gap={2}
          align="start"
          wrap={false}
          className={styles.deadline}
          data-soon={msLeft !== null && msLeft < SOON_MS ? '' : undefined}
        >
          <ClockIcon size={18} />
          <Trans>Reply by {by}</Trans>
        </Inline>
      )}
      {(pending || appointment.status === 'confirmed') && (
        <AppointmentActions appointment={appointment} isCompact instant onDone={focusName} />
      )}
    </Card>
  );
}
