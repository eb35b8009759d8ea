import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { accessLogQuery } from '@/api/admin';
import type { ReadingDay } from '@/api/types';
import { DownloadCsvButton } from '@/domain/DownloadCsvButton';
import { DateRange, dateParam } from '@/domain/staff/DateRange';
import styles from '@/domain/staff/filters.module.css';
import { PaginatedList } from '@/domain/staff/PaginatedList';
import { addDays, formatDate, today } from '@/lib/dates';
import { capitalize } from '@/lib/names';
import { type AccessLogQuery, paths } from '@/lib/paths';
import { MAX_SEARCH_LENGTH } from '@/lib/search';
import { pageParam } from '@/lib/searchParams';
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

/** The server's default: adminpanel/api/access_log_views.py. */
const DEFAULT_DAYS = 30;

/** The access log: who viewed personal data of how many people, by day. */
export default function AccessLogPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const query = readQuery(params);
  // The server applies the same default; it is set here so that the filter shows it.
  const listQuery = { ...query, from: query.from ?? firstDay(query.to ?? today('UTC')) };
  const list = useQuery(accessLogQuery({ ...listQuery, page: pageParam(params) }));

  /** Other filters start at the first page; the URL contains only filters that were set. */
  const change = (part: AccessLogQuery) =>
    navigate(paths.adminReadings({ ...query, ...part }), { state: { keepScroll: true } });
  const chips = filterChips(query, list.data?.days ?? []);
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
            <DownloadCsvButton path="/admin/readings.csv" name="readings.csv" query={listQuery} />
          </>
        }
      >
        Viewed personal data
      </PageHeading>
      <search>
        <Filters query={listQuery} onChange={change} />
      </search>
      <FilterChips chips={chips} clearHref={paths.adminReadings()} />
      <PaginatedList
        list={list}
        rows={(data) => data.days}
        failure="We could not load who viewed personal data"
        rowHeight={52}
        href={(page) => paths.adminReadings({ ...query, page })}
        empty={
          <EmptyState
            title={
              isNarrowed
                ? 'No matching days'
                : `Nobody has viewed personal data in the last ${DEFAULT_DAYS} days`
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
        {({ days }) => <DayTable days={days} query={query} />}
      </PaginatedList>
    </Stack>
  );
}

function Filters({
  query,
  onChange,
}: {
  query: AccessLogQuery;
  onChange: (part: AccessLogQuery) => void;
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

function DayTable({ days, query }: { days: readonly ReadingDay[]; query: AccessLogQuery }) {
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
              <Link href={paths.adminReadings({ ...query, actor: day.actorId })} keepScroll>
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

function filterChips(query: AccessLogQuery, days: readonly ReadingDay[]) {
  // Show the name of an id if a row on the page has it.
  const actor = days.find(({ actorId }) => actorId === query.actor)?.actorName;
  const labels: ['actor' | 'person' | 'from' | 'to', string | undefined][] = [
    ['actor', query.actor && `Viewed by ${actor ?? shortText(query.actor)}`],
    ['person', query.person && `Data of ${shortText(query.person)}`],
    ['from', query.from && `From ${formatDate(query.from)}`],
    ['to', query.to && `To ${formatDate(query.to)}`],
  ];
  return labels.flatMap(([key, label]) =>
    label ? [{ key, label, href: paths.adminReadings({ ...query, [key]: undefined }) }] : [],
  );
}

/** The first day if only the last one is given. */
const firstDay = (last: string) => addDays(last, 1 - DEFAULT_DAYS);

/** Read the query from the URL; values that the server would refuse are ignored. */
function readQuery(params: URLSearchParams) {
  const text = (name: string) => {
    const value = params.get(name)?.trim();
    return value && value.length <= MAX_SEARCH_LENGTH ? value : undefined;
  };
  return {
    actor: text('actor'),
    person: text('person'),
    from: dateParam(params, 'from'),
    to: dateParam(params, 'to'),
  } satisfies AccessLogQuery;
}
