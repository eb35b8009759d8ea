import { Fragment } from 'react';
import type { Appointment, Dashboard } from '@/api/types';
import { StatusBadge } from '@/domain/StatusBadge';
import { formatDay, inZone, today as todayIn, zoneLabel } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { Link } from '@/ui/Link';
import { EmptyState } from '@/ui/states';
import { useNow } from '@/ui/useNow';
import styles from './dashboard.module.css';
import { useStanding } from './standing';

interface Props {
  visits: Appointment[];
  totals: Dashboard['totals'];
  zone: string;
}

const isNotCancelled = (visit: Appointment) => visit.status !== 'cancelled';
const byTime = (a: Appointment, b: Appointment) => Date.parse(a.startsAt) - Date.parse(b.startsAt);

/** The clinic's today by time, with a line where the day has come to. */
export function Today({ visits, totals, zone }: Props) {
  const now = useNow();
  const rows = (useStanding(visits, isNotCancelled) ?? []).toSorted(byTime);
  const at = rows.findIndex((visit) => Date.parse(visit.endsAt) > now);
  const date = todayIn(zone);
  return (
    <section className="stack" data-gap="2" aria-labelledby="today">
      <div className={styles.sectionHead}>
        <h2 id="today">
          Today <span className={styles.light}>{formatDay(date)}</span>
        </h2>
        <span className={styles.sum}>
          {totals.today > 0 && `${totals.today} today, ${totals.todayLeft} left`}
        </span>
        <Link href={paths.doctorAppointments({ view: 'day', date })} className={styles.end}>
          Day view
        </Link>
      </div>
      {rows.length === 0 ? (
        <EmptyState title="No visits today">
          <Link href={paths.doctorAppointments({ view: 'week', date })}>See the week</Link>
        </EmptyState>
      ) : (
        <>
          <ol className={styles.timeline}>
            {rows.map((visit, index) => (
              <Fragment key={visit._id}>
                {index === at && <NowLine now={now} zone={zone} />}
                <Row visit={visit} over={Date.parse(visit.endsAt) <= now} />
              </Fragment>
            ))}
            {at < 0 && <NowLine now={now} zone={zone} />}
          </ol>
          <p className="muted small">{zoneLabel(zone)}, on the clinic’s clock.</p>
        </>
      )}
    </section>
  );
}

function NowLine({ now, zone }: { now: number; zone: string }) {
  return (
    <li className={styles.nowLine} aria-hidden="true">
      {inZone(new Date(now), zone).time}
    </li>
  );
}

function Row({ visit, over }: { visit: Appointment; over: boolean }) {
  return (
    <li
      className={styles.slot}
      data-status={visit.status}
      data-over={over ? '' : undefined}
      data-row=""
    >
      <time dateTime={visit.startsAt}>{visit.appointmentTime}</time>
      <span className={styles.who}>
        <Link href={paths.doctorAppointment(visit._id)} data-shortcut="open">
          {visit.patient.name}
        </Link>
        {visit.symptoms && <span className={styles.reason}>{visit.symptoms}</span>}
      </span>
      <span className={styles.marks}>
        {visit.attended === false && <span className="muted small">Did not come</span>}
        <StatusBadge status={visit.status} />
      </span>
    </li>
  );
}
