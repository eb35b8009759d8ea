import { plural, t } from '@lingui/core/macro';
import type { Reader } from '@/api/types';
import { formatTime, inZone } from '@/lib/dates';
import { doctorName } from '@/lib/names';

/** The values of a sentence: who did it, how often, and at what time (last). */
interface Entry {
  who: string;
  times: number;
  time: string;
}

const SENTENCES: Record<Reader['what'], (entry: Entry) => string> = {
  list: ({ who, times, time }) =>
    plural(times, {
      one: `${who} saw it in a list of appointments at ${time}`,
      other: `${who} saw it in a list of appointments, # times, last at ${time}`,
    }),
  visit: ({ who, times, time }) =>
    plural(times, {
      one: `${who} opened this appointment at ${time}`,
      other: `${who} opened this appointment, # times, last at ${time}`,
    }),
  history: ({ who, times, time }) =>
    plural(times, {
      one: `${who} read it with your earlier appointments at ${time}`,
      other: `${who} read it with your earlier appointments, # times, last at ${time}`,
    }),
  versions: ({ who, times, time }) =>
    plural(times, {
      one: `${who} read the earlier versions at ${time}`,
      other: `${who} read the earlier versions, # times, last at ${time}`,
    }),
  prescription: ({ who, times, time }) =>
    plural(times, {
      one: `${who} downloaded the prescription at ${time}`,
      other: `${who} downloaded the prescription, # times, last at ${time}`,
    }),
  attachment: ({ who, times, time }) =>
    plural(times, {
      one: `${who} downloaded a file at ${time}`,
      other: `${who} downloaded a file, # times, last at ${time}`,
    }),
  records: ({ who, times, time }) =>
    plural(times, {
      one: `${who} saw it in a list of records at ${time}`,
      other: `${who} saw it in a list of records, # times, last at ${time}`,
    }),
  dashboard: ({ who, times, time }) =>
    plural(times, {
      one: `${who} saw it on the dashboard at ${time}`,
      other: `${who} saw it on the dashboard, # times, last at ${time}`,
    }),
  staff: ({ who, times, time }) =>
    plural(times, {
      one: `${who} opened it with special permission at ${time}`,
      other: `${who} opened it with special permission, # times, last at ${time}`,
    }),
};

/** Format an entry: "Dr. Ana Ruiz opened this appointment, 3 times, last at 14:02". */
export function accessLogText(reader: Reader, zone: string): string {
  const { name, role, what, times } = reader;
  const who = role === 'doctor' ? doctorName(name) : role === 'admin' ? t`${name} (staff)` : name;
  const time = formatTime(inZone(reader.at, zone).time);
  return SENTENCES[what]({ who, times, time });
}

/** Group entries by day, in order. */
export function groupByDay(readers: Reader[], zone: string): { date: string; readers: Reader[] }[] {
  const days: { date: string; readers: Reader[] }[] = [];
  for (const reader of readers) {
    const { date } = inZone(reader.at, zone);
    const last = days.at(-1);
    if (last?.date === date) last.readers.push(reader);
    else days.push({ date, readers: [reader] });
  }
  return days;
}
