import type { Analytics } from '@/api/types';
import { formatDate, formatDay, formatShortDay } from '@/lib/dates';
import type { Series, Step } from './chart/BarChart';
import { formatMinutes, formatNumber, formatShare, share, unitOfMinutes } from './figures';

export interface Chart {
  title: string;
  note: string;
  series: Series[];
  format: (value: number | null) => string;
  nothing: string;
  unitOf?: (most: number) => number;
}

/** The steps of a period with their names. */
export function stepsOf({ series, by }: Pick<Analytics, 'series' | 'by'>): Step[] {
  return series.map(({ start }) => ({
    name: by === 'week' ? `Week of ${formatDate(start)}` : formatDay(start),
    // "8 Dec" of "Tue 8 Dec".
    short: formatShortDay(start).replace(/^\S+ /, ''),
  }));
}

/** What is drawn, in the order of an appointment's life. */
export function chartsOf({ series }: Pick<Analytics, 'series'>): Chart[] {
  const of = (name: string, read: (step: Analytics['series'][number]) => number | null) => ({
    name,
    values: series.map(read),
  });
  return [
    {
      title: 'Bookings',
      note: 'By the day on which the appointment was booked.',
      series: [of('Bookings', (step) => step.bookings)],
      format: formatNumber,
      nothing: 'Nothing was booked.',
    },
    {
      title: 'Appointments',
      note: 'By the day of the appointment.',
      series: [of('Completed', (step) => step.completed), of('No-show', (step) => step.noShows)],
      format: formatNumber,
      nothing: 'No appointment was completed.',
    },
    {
      title: 'Cancellations',
      note: 'By the day on which it was cancelled, and by whom.',
      series: [
        of('Patient', (step) => step.cancelledByPatient),
        of('Doctor', (step) => step.cancelledByDoctor),
        of('Staff', (step) => step.cancelledByAdmin),
        of('Not answered in time', (step) => step.expired),
      ],
      format: formatNumber,
      nothing: 'Nothing was cancelled.',
    },
    {
      title: 'Time to confirm',
      note: 'The median wait of a request for a yes, by the day of the answer.',
      series: [of('Median wait', (step) => step.medianMinutesToConfirm)],
      format: formatMinutes,
      unitOf: unitOfMinutes,
      nothing: 'Every request was confirmed at once.',
    },
    {
      title: 'Use of offered time',
      note: 'How much of the time that listed doctors offered was taken by appointments.',
      series: [of('Used', (step) => share(step.usedMinutes, step.offeredMinutes))],
      format: formatShare,
      nothing: 'None of the offered time was used.',
    },
    {
      title: 'Searches without a free time',
      note: 'Somebody looked for a time and found none.',
      series: [of('Searches', (step) => step.searchesWithoutTime)],
      format: formatNumber,
      nothing: 'Every search found a free time.',
    },
  ];
}
