import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { accessLogQuery } from '@/api/admin';
import type { ReadingDay } from '@/api/types';
import { DownloadCsvButton } from '@/domain/DownloadCsvButton';
import { DateRange, dateParam } from '@/domain/staff/DateRange';
import styles from '@/domain/staff/filters.module.css';
import { PaginatedList } from '@/domain/staff/PaginatedList';
import { addDays, formatDate, formatTime, inZone, today } from '@/lib/dates';
import { type AccessLogQuery, paths } from '@/lib/paths';
import { ROLE_LABELS } from '@/lib/roles';
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
        lead={t`Who viewed personal data of other people, and how many people’s. The download names them. Viewing this page is logged too.`}
        actions={
          <>
            <LinkButton variant="secondary" href={paths.adminAudit()}>
              <Trans>Audit log</Trans>
            </LinkButton>
            <DownloadCsvButton path="/admin/readings.csv" name="readings.csv" query={listQuery} />
          </>
        }
      >
        {t`Viewed personal data`}
      </PageHeading>
      <search>
        <Filters query={listQuery} onChange={change} />
      </search>
      <FilterChips chips={chips} clearHref={paths.adminReadings()} />
      <PaginatedList
        list={list}
        rows={(data) => data.days}
        failure={t`We couldn’t load who viewed personal data`}
        rowHeight={52}
        href={(page) => paths.adminReadings({ ...query, page })}
        empty={
          <EmptyState
            title={
              isNarrowed
                ? t`No matching days`
                : plural(DEFAULT_DAYS, {
                    one: 'Nobody has viewed personal data in the last # day',
                    other: 'Nobody has viewed personal data in the last # days',
                  })
            }
            action={
              isNarrowed && (
                <LinkButton variant="secondary" href={paths.adminReadings()}>
                  <Trans>Clear filters</Trans>
                </LinkButton>
              )
            }
          >
            {isNarrowed
              ? t`Remove a filter, or choose other dates.`
              : t`Doctors and admins appear here for each day they view other people’s data.`}
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
        label={t`Viewed by`}
        hint={t`Name or ID`}
        optional="unmarked"
        value={actor}
        onChange={setActor}
      />
      <TextInput
        {...field}
        name="person"
        label={t`Data of`}
        hint={t`Name or ID`}
        optional="unmarked"
        value={person}
        onChange={setPerson}
      />
      <DateRange from={query.from} to={query.to} onChange={onChange} hint={t`UTC date`} />
    </Grid>
  );
}

function DayTable({ days, query }: { days: readonly ReadingDay[]; query: AccessLogQuery }) {
  return (
    <DataTable
      cards
      caption={t`Who viewed personal data`}
      columns={[t`Date (UTC)`, t`Viewed by`, t`People`, t`Views`, t`Latest (UTC)`]}
    >
      <tbody>
        {days.map((day) => (
          <tr key={`${day.date} ${day.actorId}`} data-card="">
            <td>{formatDate(day.date)}</td>
            <td>
              <Link href={paths.adminReadings({ ...query, actor: day.actorId })} keepScroll>
                {day.actorName ?? shortId(day.actorId)}
              </Link>
              <div className="muted">{t(ROLE_LABELS[day.actorRole])}</div>
            </td>
            <td className="strong">
              <Plural value={day.people} one="# person" other="# people" />
            </td>
            <td>
              <Plural value={day.views} one="# view" other="# views" />
            </td>
            <td>
              <LastView instant={day.lastAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

/** The time in UTC; cards on phones have no column heading that says so. */
function LastView({ instant }: { instant: string }) {
  const time = formatTime(inZone(instant, 'UTC').time);
  return (
    <Trans>
      <span data-phone="">Latest at </span>
      <time dateTime={instant}>{time}</time>
      <span data-phone=""> UTC</span>
    </Trans>
  );
}

function filterChips(query: AccessLogQuery, days: readonly ReadingDay[]) {
  // Show the name of an id if a row on the page has it.
  const actor = days.find(({ actorId }) => actorId === query.actor)?.actorName;
  const viewer = query.actor && (actor ?? shortText(query.actor));
  const person = query.person && shortText(query.person);
  const from = query.from && formatDate(query.from);
  const to = query.to && formatDate(query.to);
  const labels: ['actor' | 'person' | 'from' | 'to', string | undefined][] = [
    ['actor', viewer && t`Viewed by ${viewer}`],
    ['person', person && t`Data of ${person}`],
    ['from', from && t`From ${from}`],
    ['to', to && t`To ${to}`],
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
