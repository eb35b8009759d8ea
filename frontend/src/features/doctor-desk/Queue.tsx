import { useRef, useState } from 'react';
import type { Appointment, Dashboard } from '@/api/types';
import { StatusBadge } from '@/domain/StatusBadge';
import { PatientAsks } from '@/domain/visit/doctor/PatientAsks';
import { VisitActs } from '@/domain/visit/doctor/VisitActs';
import { deadline } from '@/domain/visit/sentence';
import { VisitWhen } from '@/domain/visit/VisitWhen';
import { formatAge } from '@/lib/age';
import { paths } from '@/lib/paths';
import { Button } from '@/ui/Button';
import { ClockIcon } from '@/ui/icons';
import { Link } from '@/ui/Link';
import { EmptyState } from '@/ui/states';
import { useNow } from '@/ui/useNow';
import styles from './dashboard.module.css';
import { asks, useStanding } from './standing';

/** An answer that is due within this long is marked. */
const SOON_MS = 4 * 3_600_000;
/** So many a telephone shows at first. */
const FEW = 3;

interface Props {
  waiting: Appointment[];
  asking: Appointment[];
  totals: Dashboard['totals'];
}

const isPending = (visit: Appointment) => visit.status === 'pending';
const cannotCome = (visit: Appointment) => visit.cancelRequest !== null;

/** What waits for the doctor's answer: those who cannot come, other times proposed, new requests. */
export function Queue({ waiting, asking, totals }: Props) {
  const [all, setAll] = useState(false);
  const sorted = [...asking].sort((a, b) => Number(cannotCome(b)) - Number(cannotCome(a)));
  const first = useStanding(sorted, asks) ?? [];
  // One that is asked about stands once.
  const requests = useStanding(
    waiting.filter(({ _id }) => !first.some((each) => each._id === _id)),
    isPending,
  );
  const rows = [...first, ...(requests ?? [])];
  return (
    <section className={styles.queue} aria-labelledby="waiting">
      <div className={styles.sectionHead}>
        <h2 id="waiting">Waiting for your answer</h2>
        {totals.waiting > 0 && <span className={styles.count}>{totals.waiting}</span>}
      </div>
      {rows.length === 0 ? (
        <EmptyState title="Nobody is waiting">New requests of patients appear here.</EmptyState>
      ) : (
        <ul className={styles.list} data-few={all ? undefined : ''}>
          {rows.map((visit) => (
            <Request key={visit._id} visit={visit} />
          ))}
        </ul>
      )}
      {!all && rows.length > FEW && (
        <Button variant="quiet" className={styles.all} onClick={() => setAll(true)}>
          Show {rows.length - FEW} more
        </Button>
      )}
      {totals.waiting > waiting.length + asking.length && (
        <Link href={paths.doctorAppointments({ waiting: 'true' })}>
          All {totals.waiting} that wait
        </Link>
      )}
    </section>
  );
}

function Request({ visit }: { visit: Appointment }) {
  const name = useRef<HTMLHeadingElement>(null);
  const now = useNow();
  const done = () => name.current?.focus();
  const pending = visit.status === 'pending';
  const by = deadline(visit, 'doctor');
  const due = visit.respondBy ? Date.parse(visit.respondBy) - now : null;
  return (
    <li className={styles.request} data-row="">
      <div className={styles.requestHead}>
        <h3 ref={name} tabIndex={-1} className={styles.name}>
          <Link href={paths.doctorAppointment(visit._id)} data-shortcut="open">
            {visit.patient.name}
          </Link>
        </h3>
        {pending ? (
          <span className="muted small">
            Waiting for {formatAge(visit.createdAt, new Date(now))}
          </span>
        ) : (
          !asks(visit) && <StatusBadge status={visit.status} />
        )}
      </div>
      <VisitWhen visit={visit} />
      {visit.outsideHours && <p className={styles.mark}>Outside your hours</p>}
      {visit.symptoms && <p className={styles.symptoms}>{visit.symptoms}</p>}
      <PatientAsks visit={visit} heading="h4" onDone={done} />
      {pending && by && (
        <p className={styles.deadline} data-soon={due !== null && due < SOON_MS ? '' : undefined}>
          <ClockIcon size={18} />
          Answer by {by}
        </p>
      )}
      {pending && <VisitActs visit={visit} brief onDone={done} />}
    </li>
  );
}
