import type { FormEvent } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import type { Appointment } from '@/api/types';
import { changedTimes, isPrescribed, recordedOf, takenAs } from '@/domain/record/record';
import { Visits } from '@/domain/visit/Visits';
import { formatDate } from '@/lib/dates';
import { pageOf } from '@/lib/paging';
import { paths } from '@/lib/paths';
import { LinkButton } from '@/ui/Button';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { SearchInput } from '@/ui/SearchInput';
import { EmptyState } from '@/ui/states';
import { useTyped } from '@/ui/useTyped';
import styles from './RecordsPage.module.css';

const PAGE_SIZE = 20;

/** Every visit that this doctor has written about, newest first, searched while one types. */
export default function RecordsPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const search = params.get('search') ?? undefined;
  const find = (text: string | undefined) =>
    navigate(paths.doctorRecords({ search: text }), {
      replace: true,
      state: { keepScroll: true },
    });
  const [typed, setTyped] = useTyped(search, find);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void find(typed.trim() || undefined);
  };
  return (
    <div className={styles.page}>
      <PageHeading lead="What you wrote about your visits, newest first.">Records</PageHeading>
      <search>
        <form className={styles.search} onSubmit={submit}>
          <SearchInput
            label="Search"
            hint="A patient’s name or e-mail address, or words of the record."
            value={typed}
            onChange={setTyped}
          />
        </form>
      </search>
      <Visits
        query={{
          scope: 'written',
          search,
          ordering: '-startsAt',
          page: pageOf(params),
          pageSize: PAGE_SIZE,
        }}
        href={(page) => paths.doctorRecords({ search, page })}
        rowHeight={64}
        rows={6}
        empty={
          search ? (
            <EmptyState
              title={`Nothing found for “${search}”`}
              action={
                <LinkButton variant="secondary" href={paths.doctorRecords()}>
                  Show all records
                </LinkButton>
              }
            >
              Try fewer letters, or another word of the record.
            </EmptyState>
          ) : (
            <EmptyState
              title="No records yet"
              action={
                <LinkButton href={paths.doctorAppointments({ status: 'confirmed' })}>
                  See your confirmed visits
                </LinkButton>
              }
            >
              What you write about a visit is kept here.
            </EmptyState>
          )
        }
      >
        {(visits) => (
          <ul className={styles.rows}>
            {visits.map((visit) => (
              <RecordRow key={visit._id} visit={visit} />
            ))}
          </ul>
        )}
      </Visits>
    </div>
  );
}

function RecordRow({ visit }: { visit: Appointment }) {
  const record = recordedOf(visit);
  const { items, notes } = record.prescription;
  const medicines = items.map((item) => `${item.medicine} ${takenAs(item)}`.trim()).join('; ');
  const changed = changedTimes(visit.record.version);
  const date = formatDate(visit.appointmentDate);
  return (
    <li className={styles.row}>
      <div>
        <Link href={paths.doctorAppointment(visit._id)} className={styles.name}>
          {visit.patient.name}
          <span className="visually-hidden">, visit of {date}</span>
        </Link>
        <p className={styles.fact}>
          <time dateTime={visit.startsAt}>
            {date}, {visit.appointmentTime}
          </time>
        </p>
      </div>
      <div className={styles.text}>
        <p className={styles.line}>
          {record.diagnosis || record.notes || <span className="muted">No diagnosis</span>}
        </p>
        {isPrescribed(record) && <p className={styles.fact}>{medicines || notes}</p>}
      </div>
      <p className={styles.end}>{visit.attended === false ? 'Did not come' : changed}</p>
    </li>
  );
}
