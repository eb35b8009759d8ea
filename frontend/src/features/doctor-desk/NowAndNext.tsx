import type { Appointment } from '@/api/types';
import { addDays, formatDay, formatRelative, inZone } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { Link } from '@/ui/Link';
import { useNow } from '@/ui/useNow';
import styles from './dashboard.module.css';

/** "in 25 minutes", "tomorrow", "Tuesday 8 December". */
function distance(visit: Appointment, now: number): string {
  const there = inZone(new Date(now), visit.timeZone).date;
  if (visit.appointmentDate === there) return formatRelative(visit.startsAt, new Date(now));
  if (visit.appointmentDate === addDays(there, 1)) return 'tomorrow';
  return formatDay(visit.appointmentDate);
}

/** The visit under way and the one after it. */
export function NowAndNext({ visits }: { visits: Appointment[] }) {
  const now = useNow();
  // What is over since the page asked is no longer next.
  const ahead = visits.filter((visit) => now < Date.parse(visit.endsAt));
  const current = ahead.find((visit) => Date.parse(visit.startsAt) <= now);
  const next = ahead.find((visit) => Date.parse(visit.startsAt) > now);
  return (
    <section className="stack" data-gap="2" aria-labelledby="now">
      <h2 id="now">Now and next</h2>
      {!current && !next ? (
        <p className={styles.quiet}>No confirmed visits ahead. Requests you confirm appear here.</p>
      ) : (
        <div className={styles.pair}>
          {current && <One visit={current} label="Now" since={`until ${endOf(current)}`} />}
          {next && <One visit={next} label="Next" since={distance(next, now)} />}
        </div>
      )}
    </section>
  );
}

const endOf = (visit: Appointment) => inZone(visit.endsAt, visit.timeZone).time;

function One({ visit, label, since }: { visit: Appointment; label: string; since: string }) {
  return (
    <article className={styles.one} data-now={label === 'Now' ? '' : undefined} data-row="">
      <p className={styles.label}>
        <strong>{label}</strong> {since}
      </p>
      <h3 tabIndex={-1} className={styles.name}>
        <time dateTime={visit.startsAt}>{visit.appointmentTime}</time>{' '}
        <Link href={paths.doctorAppointment(visit._id)} data-shortcut="open">
          {visit.patient.name}
        </Link>
      </h3>
      <p className={visit.symptoms ? styles.symptoms : 'muted'}>
        {visit.symptoms || 'No reason given'}
      </p>
      <div className={styles.push}>
        <LinkButton
          variant={label === 'Now' ? 'primary' : 'secondary'}
          href={paths.doctorAppointment(visit._id)}
        >
          Open visit<span className="visually-hidden"> of {visit.patient.name}</span>
        </LinkButton>
      </div>
    </article>
  );
}
