import type { Reader } from '@/api/types';
import { inZone } from '@/lib/dates';
import { doctorName } from '@/lib/names';

const CONTENT_LABELS: Record<Reader['what'], string> = {
  list: 'saw it in a list of appointments',
  visit: 'opened this appointment',
  history: 'read it among your earlier appointments',
  versions: 'read the earlier versions',
  prescription: 'downloaded the prescription',
  attachment: 'downloaded a file',
  records: 'saw it in a list of records',
  dashboard: 'saw it on the dashboard',
  staff: 'opened it with special permission',
};

/** Format an entry: "Dr. Ana Ruiz opened this appointment, 3 times, last at 14:02". */
export function accessLogText(reader: Reader, zone: string): string {
  const { name, role, what, times } = reader;
  const who = role === 'doctor' ? doctorName(name) : role === 'admin' ? `${name}, staff,` : name;
  const { time } = inZone(reader.at, zone);
  const when = times > 1 ? `, ${times} times, last at ${time}` : ` at ${time}`;
  return `${who} ${CONTENT_LABELS[what]}${when}`;
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
