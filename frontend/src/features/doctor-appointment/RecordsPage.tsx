import { Trans, useLingui } from '@lingui/react/macro';
import type { FormEvent } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import type { Appointment } from '@/api/types';
import { AppointmentList } from '@/domain/appointment/AppointmentList';
import { isNoShow, statusLabel } from '@/domain/appointment/StatusBadge';
import {
  changeCountText,
  dosageText,
  hasPrescription,
  recordContent,
} from '@/domain/record/record';
import { formatDate, formatTime } from '@/lib/dates';
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
  const { t } = useLingui();
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
      <PageHeading lead={t`Records you’ve written, newest first.`}>{t`Records`}</PageHeading>
      <search>
        <form className={styles.search} onSubmit={submit}>
          <SearchInput
            label={t`Search`}
            hint={t`A patient’s name or email address, or words from the record.`}
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
              title={t`No results for “${search}”`}
              action={
                <LinkButton variant="secondary" href={paths.doctorRecords()}>
                  <Trans>Show all records</Trans>
                </LinkButton>
              }
            >
              <Trans>Try fewer letters, or another word from the record.</Trans>
            </EmptyState>
          ) : (
            <EmptyState
              title={t`No records yet`}
              action={
                <LinkButton href={paths.doctorAppointments({ status: 'confirmed' })}>
                  <Trans>See your confirmed appointments</Trans>
                </LinkButton>
              }
            >
              <Trans>Records appear here once you’ve written them.</Trans>
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
  const { t } = useLingui();
  const record = recordContent(appointment);
  const { items, notes } = record.prescription;
  const medicines = items.map((item) => `${item.medicine} ${dosageText(item)}`.trim()).join('; ');
  const changed = changeCountText(appointment.record.version);
  const date = formatDate(appointment.appointmentDate);
  const { name } = appointment.patient;
  const time = formatTime(appointment.appointmentTime);
  return (
    <Grid as="li" rowGap={1} className={styles.row}>
      <div>
        <Link href={paths.doctorAppointment(appointment._id)} className={styles.name}>
          <Trans>
            {name}
            <span className="visually-hidden">, appointment on {date}</span>
          </Trans>
        </Link>
        <p className={styles.fact}>
          <time dateTime={appointment.startsAt}>
            <Trans>
              {date}, {time}
            </Trans>
          </time>
        </p>
      </div>
      <div className={styles.text}>
        <p className={styles.line}>
          {record.diagnosis || record.notes || (
            <span className="muted">
              <Trans>No diagnosis</Trans>
            </span>
          )}
        </p>
        {hasPrescription(record) && <p className={styles.fact}>{medicines || notes}</p>}
      </div>
      <p className={styles.date}>{isNoShow(appointment) ? t(statusLabel(appointment)) : changed}</p>
    </Grid>
  );
}
