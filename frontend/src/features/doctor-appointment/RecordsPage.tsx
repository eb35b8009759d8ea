import type { FormEvent } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import type { Appointment } from '@/api/types';
import { AppointmentList } from '@/domain/appointment/AppointmentList';
import { isNoShow } from '@/domain/appointment/StatusBadge';
import {
  changeCountText,
  dosageText,
  hasPrescription,
  recordContent,
} from '@/domain/record/record';
import { formatDate } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { pageParam } from '@/lib/searchParams';
import { LinkButton } from '@/ui/Button';
import { Card } from '@/ui/Card';
import { EmptyState } from '@/ui/EmptyState';
import { Grid } from '@/ui/Grid';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { SearchInput } from '@/ui/SearchInput';
import { Stack } from '@/ui/Stack';
import { useDebouncedParam } from '@/ui/useDebouncedParam';
import styles from './RecordsPage.module.css';

const PAGE_SIZE = 20;

/** Every appointment that has a record by this doctor, newest first, with search as you type. */
export default function RecordsPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const search = params.get('search') ?? undefined;
  const find = (text: string | undefined) =>
    navigate(paths.doctorRecords({ search: text }), {
      replace: true,
      state: { keepScroll: true },
    });
  const [typed, setTyped] = useDebouncedParam(search, find);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void find(typed.trim() || undefined);
  };
  return (
    <Stack gap={5}>
      <PageHeading lead="Records you have written, newest first.">Records</PageHeading>
      <search>
        <form className={styles.search} onSubmit={submit}>
          <SearchInput
            label="Search"
            hint="A patient’s name or email address, or words of the record."
            value={typed}
            onChange={setTyped}
          />
        </form>
      </search>
      <AppointmentList
        query={{
          scope: 'written',
          search,
          ordering: '-startsAt',
          page: pageParam(params),
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
                  See your confirmed appointments
                </LinkButton>
              }
            >
              Records appear here once you have written them.
            </EmptyState>
          )
        }
      >
        {(appointments) => (
          <Card as="ul" flush divided>
            {appointments.map((appointment) => (
              <RecordRow key={appointment._id} appointment={appointment} />
            ))}
          </Card>
        )}
      </AppointmentList>
    </Stack>
  );
}

function RecordRow({ appointment }: { appointment: Appointment }) {
  const record = recordContent(appointment);
  const { items, notes } = record.prescription;
  const medicines = items.map((item) => `${item.medicine} ${dosageText(item)}`.trim()).join('; ');
  const changed = changeCountText(appointment.record.version);
  const date = formatDate(appointment.appointmentDate);
  return (
    <Grid as="li" rowGap={1} className={styles.row}>
      <div>
        <Link href={paths.doctorAppointment(appointment._id)} className={styles.name}>
          {appointment.patient.name}
          <span className="visually-hidden">, appointment on {date}</span>
        </Link>
        <p className={styles.fact}>
          <time dateTime={appointment.startsAt}>
            {date}, {appointment.appointmentTime}
          </time>
        </p>
      </div>
      <div className={styles.text}>
        <p className={styles.line}>
          {record.diagnosis || record.notes || <span className="muted">No diagnosis</span>}
        </p>
        {hasPrescription(record) && <p className={styles.fact}>{medicines || notes}</p>}
      </div>
      <p className={styles.date}>{isNoShow(appointment) ? 'No-show' : changed}</p>
    </Grid>
  );
}
