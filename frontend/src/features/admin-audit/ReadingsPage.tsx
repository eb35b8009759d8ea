import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { readingsQuery } from '@/api/admin';
import type { ReadingDay } from '@/api/types';
import { DownloadCsvButton } from '@/domain/DownloadCsvButton';
import { DateRange, dateOf } from '@/domain/staff/DateRange';
import styles from '@/domain/staff/filters.module.css';
import { PaginatedList } from '@/domain/staff/PaginatedList';
import { addDays, formatDate, today } from '@/lib/dates';
import { capitalize } from '@/lib/names';
import { paths, type ReadingsQuery } from '@/lib/paths';
import { MAX_SEARCH_LENGTH } from '@/lib/search';
import { pageOf } from '@/lib/searchParams';
import { LinkButton } from '@/ui/Button';
import { DataTable } from '@/ui/DataTable';
import { EmptyState } from '@/ui/EmptyState';
import { FilterChips } from '@/ui/FilterChips';
import { Grid } from '@/ui/Grid';
import { Link } from '@/ui/Link';
import { PageHeading } from '@/ui/PageHeading';
import { Stack } from '@/ui/Stack';
import { TextInput } from '@/ui/TextInput';
import { useDebouncedParam } from '@/ui/useDebouncedParam';
import { shortId, shortText } from './query';

/** As many days as the server lists unless told otherwise: adminpanel/api/access_log_views.py. */
const USUAL_DAYS = 30;

/** Who was shown personal data of how many people on which day. */
export default function ReadingsPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const asked = readQuery(params);
  // The server does the same; said here so that the filter shows it.
  const query = { ...asked, from: asked.from ?? firstDay(asked.to ?? today('UTC')) };
  const list = useQuery(readingsQuery({ ...query, page: pageOf(params) }));

  /** Another question starts at its first page, and only what was chosen is in its address. */
  const change = (part: ReadingsQuery) =>
    navigate(paths.adminReadings({ ...asked, ...part }), { state: { keepScroll: true } });
  const chips = chipsOf(asked, list.data?.days ?? []);
  const isNarrowed = chips.length > 0;

  return (
    <Stack gap={5}>
      <PageHeading
        lead="Who was shown other people’s personal data, and of how many people. The download names them. Viewing this page adds to the audit log."
        actions={
          <>
            <LinkButton variant="secondary" href={paths.adminAudit()}>
              Audit log
            </LinkButton>
            <DownloadCsvButton path="/admin/readings.csv" name="readings.csv" query={query} />
          </>
        }
      >
        Viewed personal data
      </PageHeading>
      <search>
        <Filters query={query} onChange={change} />
      </search>
      <FilterChips chips={chips} clearHref={paths.adminReadings()} />
      <PaginatedList
        list={list}
        rows={(data) => data.days}
        failure="We could not load who viewed personal data"
        rowHeight={52}
        href={(page) => paths.adminReadings({ ...asked, page })}
        empty={
          <EmptyState
            title={
              isNarrowed
                ? 'No matching days'
                : `Nobody has viewed personal data in the last ${USUAL_DAYS} days`
            }
            action={
              isNarrowed && (
                <LinkButton variant="secondary" href={paths.adminReadings()}>
                  Clear filters
                </LinkButton>
              )
            }
          >
            {isNarrowed
              ? 'Remove a filter, or choose other dates.'
              : 'Doctors and admins appear here on each day on which they view data of others.'}
          </EmptyState>
        }
      >
        {({ days }) => <DayTable days={days} asked={asked} />}
      </PaginatedList>
    </Stack>
  );
}

function Filters({
  query,
  onChange,
}: {
  query: ReadingsQuery;
  onChange: (part: ReadingsQuery) => void;
}) {
  const [actor, setActor] = useDebouncedParam(query.actor, (text) => onChange({ actor: text }));
  const [person, setPerson] = useDebouncedParam(query.person, (text) => onChange({ person: text }));
  const field = { autoComplete: 'off', spellCheck: false, maxLength: MAX_SEARCH_LENGTH } as const;
  return (
    <Grid rowGap={3} align="end" className={styles.filters}>
      <TextInput
        {...field}
        name="actor"
        label="Viewed by"
        hint="Name or ID"
        optional="unmarked"
        value={actor}
        onChange={setActor}
      />
      <TextInput
        {...field}
        name="person"
        label="Data of"
        hint="Name or ID"
        optional="unmarked"
        value={person}
        onChange={setPerson}
      />
      <DateRange from={query.from} to={query.to} onChange={onChange} hint="UTC date" />
    </Grid>
  );
}

function DayTable({ days, asked }: { days: readonly ReadingDay[]; asked: ReadingsQuery }) {
  return (
    <DataTable
      cards
      caption="Who viewed personal data"
      columns={['Date (UTC)', 'Viewed by', 'People', 'Views', 'Latest (UTC)']}
    >
      <tbody>
        {days.map((day) => (
          <tr key={`${day.date} ${day.actorId}`} data-card="">
            <td>{formatDate(day.date)}</td>
            <td>
              <Link href={paths.adminReadings({ ...asked, actor: day.actorId })} keepScroll>
                {day.actorName ?? shortId(day.actorId)}
              </Link>
              <div className="muted">{capitalize(day.actorRole)}</div>
            </td>
            <td className="strong">
              {day.people} {day.people === 1 ? 'person' : 'people'}
            </td>
            <td>
              {day.views} {day.views === 1 ? 'view' : 'views'}
            </td>
            <td>
              <span data-phone="">Latest at </span>
              <time dateTime={day.lastAt}>{day.lastAt.slice(11, 16)}</time>
              <span data-phone=""> UTC</span>
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

function chipsOf(asked: ReadingsQuery, days: readonly ReadingDay[]) {
  // A name is known while a row on the page shows it.
  const actor = days.find(({ actorId }) => actorId === asked.actor)?.actorName;
  const labels: ['actor' | 'person' | 'from' | 'to', string | undefined][] = [
    ['actor', asked.actor && `Viewed by ${actor ?? shortText(asked.actor)}`],
    ['person', asked.person && `Data of ${shortText(asked.person)}`],
    ['from', asked.from && `From ${formatDate(asked.from)}`],
    ['to', asked.to && `To ${formatDate(asked.to)}`],
  ];
  return labels.flatMap(([key, label]) =>
    label ? [{ key, label, href: paths.adminReadings({ ...asked, [key]: undefined }) }] : [],
  );
}

/** The first day shown where only the last is known. */
const firstDay = (last: string) => addDays(last, 1 - USUAL_DAYS);

/** What the address bar asks for; what the server would refuse asks for nothing. */
function readQuery(params: URLSearchParams) {
  const text = (name: string) => {
    const value = params.get(name)?.trim();
    return value && value.length <= MAX_SEARCH_LENGTH ? value : undefined;
  };
  return {
    actor: text('actor'),
    person: text('person'),
    from: dateOf(params, 'from'),
    to: dateOf(params, 'to'),
  } satisfies ReadingsQuery;
}
