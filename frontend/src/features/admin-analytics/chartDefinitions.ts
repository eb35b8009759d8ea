import type { Analytics } from '@/api/types';
import { formatDate, formatDay, formatShortDay } from '@/lib/dates';
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
  return series.map(({ start }) => ({
    name: by === 'week' ? `Week of ${formatDate(start)}` : formatDay(start),
    // "8 Dec" of "Tue 8 Dec".
    short: formatShortDay(start).replace(/^\S+ /, ''),
  }));
}

/** Return the charts in the order of an appointment's life cycle. */
export function chartDefinitions({ series }: Pick<Analytics, 'series'>): ChartDefinition[] {
  const toSeries = (name: string, read: (step: Analytics['series'][number]) => number | null) => ({
    name,
    values: series.map(read),
  });
  return [
    {
      title: 'Bookings',
      note: 'By the day on which the appointment was booked.',
      series: [toSeries('Bookings', (step) => step.bookings)],
      format: formatNumber,
      emptyText: 'Nothing was booked.',
    },
    {
      title: 'Appointments',
      note: 'By the day of the appointment.',
      series: [
        toSeries('Completed', (step) => step.completed),
        toSeries('No-show', (step) => step.noShows),
      ],
      format: formatNumber,
      emptyText: 'No appointment was completed.',
    },
    {
      title: 'Cancellations',
      note: 'By the day on which it was cancelled, and by whom.',
      series: [
        toSeries('Patient', (step) => step.cancelledByPatient),
        toSeries('Doctor', (step) => step.cancelledByDoctor),
        toSeries('Staff', (step) => step.cancelledByAdmin),
        toSeries('Not answered in time', (step) => step.expired),
      ],
      format: formatNumber,
      emptyText: 'Nothing was cancelled.',
    },
    {
      title: 'Time to confirm',
      note: 'The median wait of a request for a yes, by the day of the answer.',
      series: [toSeries('Median wait', (step) => step.medianMinutesToConfirm)],
      format: formatMinutes,
      tickUnit: minuteTickUnit,
      emptyText: 'Every request was confirmed at once.',
    },
    {
      title: 'Use of offered time',
      note: 'How much of the time that listed doctors offered was taken by appointments.',
      series: [toSeries('Used', (step) => percentage(step.usedMinutes, step.offeredMinutes))],
      format: formatShare,
      emptyText: 'None of the offered time was used.',
    },
    {
      title: 'Searches without a free time',
      note: 'Somebody looked for a time and found none.',
      series: [toSeries('Searches', (step) => step.searchesWithoutTime)],
      format: formatNumber,
      emptyText: 'Every search found a free time.',
    },
  ];
}
