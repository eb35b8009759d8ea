import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { analyticsQuery } from '@/api/admin';
import { messageOf } from '@/api/errors';
import type { Analytics } from '@/api/types';
import { DateRange } from '@/domain/staff/DateRange';
import { DoctorFilters } from '@/domain/staff/DoctorFilters';
import table from '@/domain/staff/filters.module.css';
import { formatDate } from '@/lib/dates';
import { type AnalyticsQuery, paths } from '@/lib/paths';
import { specializationLabel } from '@/lib/specializations';
import { ErrorState } from '@/ui/ErrorState';
import { FilterChips } from '@/ui/FilterChips';
import { Grid } from '@/ui/Grid';
import { PageHeading } from '@/ui/PageHeading';
import { Select } from '@/ui/Select';
import { Skeleton, Skeletons } from '@/ui/Skeleton';
import { Stack } from '@/ui/Stack';
import { Tabs } from '@/ui/Tabs';
import styles from './analytics.module.css';
import { ChartCard } from './ChartCard';
import { chartDefinitions, chartSteps } from './chartDefinitions';
import { Groups } from './Groups';
import { findPreset, lastDays, type Period, PRESETS, readQuery, STEPS } from './period';
import { Totals } from './Totals';

/** Figures of a period, with charts and the same data as tables. */
export default function AnalyticsPage() {
  const { t } = useLingui();
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const period = readQuery(params);
  const from = formatDate(period.from);
  const to = formatDate(period.to);
  const figures = useQuery(analyticsQuery(period));

  const hrefOf = (part: AnalyticsQuery) => {
    const { by, ...query } = { ...period, ...part };
    return paths.adminAnalytics({ ...query, by: by === 'day' ? undefined : by });
  };
  const change = (part: AnalyticsQuery, replace = false) =>
    navigate(hrefOf(part), { replace, state: { keepScroll: true } });

  return (
    <Stack gap={5}>
      <PageHeading
        title={t`Analytics`}
        lead={t`${from} to ${to}. Bookings and cancellations count on their date in UTC, appointments on the clinic’s date.`}
      >
        <Trans>Analytics</Trans>
      </PageHeading>
      <Tabs
        label={t`Period`}
        current={String(findPreset(period) ?? '')}
        tabs={PRESETS.map((days) => ({
          key: String(days),
          label: plural(days, { one: '# day', other: '# days' }),
          href: hrefOf(lastDays(days)),
        }))}
      />
      <Grid as="search" rowGap={3} align="end" className={table.filters}>
        <DateRange from={period.from} to={period.to} onChange={change} />
        <Select
          name="by"
          label={t({ message: 'By', context: 'day or week' })}
          optional="unmarked"
          options={STEPS.map(({ value, label }) => ({ value, label: t(label) }))}
          value={period.by}
          onChange={(by) => change({ by })}
        />
        <DoctorFilters
          specialization={period.specialization}
          city={period.city}
          onChange={change}
        />
      </Grid>
      <FilterChips
        chips={(['specialization', 'city'] as const).flatMap((key) => {
          const value = period[key];
          const label = value && key === 'specialization' ? specializationLabel(value) : value;
          return label ? [{ key, label, href: hrefOf({ [key]: undefined }) }] : [];
        })}
        clearHref={hrefOf({ specialization: undefined, city: undefined })}
      />
      {figures.data ? (
        <AnalyticsCharts
          data={figures.data}
          period={period}
          isStale={figures.isPlaceholderData}
          hrefOf={hrefOf}
        />
      ) : figures.isLoadingError ? (
        <ErrorState
          title={t`We couldn’t load the figures`}
          onRetry={() => figures.refetch()}
          busy={figures.isFetching}
        >
          {messageOf(figures.error, t`Check your connection, then try again.`)}
        </ErrorState>
      ) : (
        <Skeletons count={1}>
          <Grid className={styles.charts}>
            {[0, 1, 2, 3].map((key) => (
              <Skeleton key={key} height={340} />
            ))}
          </Grid>
        </Skeletons>
      )}
    </Stack>
  );
}

interface AnalyticsChartsProps {
  data: Analytics;
  period: Period;
  /** Data of the previous period is shown while loading. */
  isStale: boolean;
  hrefOf: (part: AnalyticsQuery) => string;
}

function AnalyticsCharts({ data, period, isStale, hrefOf }: AnalyticsChartsProps) {
  const { t } = useLingui();
  const steps = chartSteps(data);
  return (
    <Stack gap={5} data-stale={isStale ? '' : undefined}>
      <Totals totals={data.totals} period={period} />
      <Grid className={styles.charts}>
        {chartDefinitions(data).map((chart) => (
          <ChartCard
            key={chart.title}
            {...chart}
            unit={data.by === 'week' ? t`Week` : t`Day`}
            steps={steps}
          />
        ))}
        <Groups
          title={t`By specialization`}
          unit={t`Specialization`}
          nameOf={specializationLabel}
          groups={data.bySpecialization}
          href={(specialization) => hrefOf({ specialization })}
        />
        <Groups
          title={t`By city`}
          unit={t`City`}
          groups={data.byCity}
          href={(city) => hrefOf({ city })}
        />
      </Grid>
    </Stack>
  );
}
