import { t } from '@lingui/core/macro';
import type { Analytics } from '@/api/types';
import { dayParts, formatDate, formatDay } from '@/lib/dates';
import type { Series, Step } from './chart/BarChart';
import { formatMinutes, formatNumber, formatShare, minuteTickUnit, percentage } from './figures';

export interface ChartDefinition {
  title: string;
  note: string;
  series: Series[];
  format: (value: number | null) => string;
  emptyText: string;
  tickUnit?: (max: number) => number;
}

/** Return the labels of the period's steps. */
export function chartSteps({ series, by }: Pick<Analytics, 'series' | 'by'>): Step[] {
  return series.map(({ start }) => {
    const date = formatDate(start);
    return {
      name: by === 'week' ? t`Week of ${date}` : formatDay(start),
      short: dayParts(start).day,
    };
  });
}

/** Return the charts in the order of an appointment's life cycle. */
export function chartDefinitions({ series }: Pick<Analytics, 'series'>): ChartDefinition[] {
  const toSeries = (name: string, read: (step: Analytics['series'][number]) => number | null) => ({
    name,
    values: series.map(read),
  });
  return [
    {
      title: t`Bookings`,
      note: t`By the day of booking.`,
      series: [toSeries(t`Bookings`, (step) => step.bookings)],
      format: formatNumber,
      emptyText: t`No bookings.`,
    },
    {
      title: t`Appointments`,
      note: t`By the day of the appointment.`,
      series: [
        toSeries(
          t({ message: 'Completed', context: 'status of an appointment' }),
          (step) => step.completed,
        ),
        toSeries(
          t({ message: 'No-show', context: 'status of an appointment' }),
          (step) => step.noShows,
        ),
      ],
      format: formatNumber,
      emptyText: t`No completed appointments.`,
    },
    {
      title: t`Cancellations`,
      note: t`By the day of cancellation, and by who cancelled.`,
      series: [
        toSeries(t`Patient`, (step) => step.cancelledByPatient),
        toSeries(t`Doctor`, (step) => step.cancelledByDoctor),
        toSeries(t`Staff`, (step) => step.cancelledByAdmin),
        toSeries(t`No reply in time`, (step) => step.expired),
      ],
      format: formatNumber,
      emptyText: t`No cancellations.`,
    },
    {
      title: t`Time to confirm`,
      note: t`Median time from request to confirmation, by the day of confirmation.`,
      series: [toSeries(t`Median wait`, (step) => step.medianMinutesToConfirm)],
      format: formatMinutes,
      tickUnit: minuteTickUnit,
      emptyText: t`Every request was confirmed right away.`,
    },
    {
      title: t`Utilization`,
      note: t`The share of the time offered by listed doctors that appointments took up.`,
      series: [toSeries(t`Used`, (step) => percentage(step.usedMinutes, step.offeredMinutes))],
      format: formatShare,
      emptyText: t`None of the offered time was used.`,
    },
    {
      title: t`Searches without a free time`,
      note: t`Someone looked for a time and found none.`,
      series: [toSeries(t`Searches`, (step) => step.searchesWithoutTime)],
      format: formatNumber,
      emptyText: t`Every search found a free time.`,
    },
  ];
}
