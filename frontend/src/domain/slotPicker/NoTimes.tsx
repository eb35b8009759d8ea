import { formatDay } from '@/lib/dates';
import { Button } from '@/ui/Button';
import { Stack } from '@/ui/Stack';
import { openingDate } from '../freeSlots';
import { NextFreeDay } from './NextFreeDay';
import { ZoneNote } from './ZoneNote';

interface Props {
  date: string;
  /** The next free day among those that have loaded. */
  next: string | undefined;
  zone: string;
  lastDay: string;
  findNextFreeDay: (from: string) => Promise<string | null>;
  onChoose: (date: string) => void;
}

/** Explains why a day has no times, with a link to the next free day. */
export function NoTimes({ date, next, zone, lastDay, findNextFreeDay, onChoose }: Props) {
  return (
    <>
      <ZoneNote zone={zone} sample={null} />
      {date > lastDay ? (
        <p>
          Times for this day open on {formatDay(openingDate(date, lastDay, zone))}. Until then,
          appointments can be booked until {formatDay(lastDay)}.
        </p>
      ) : (
        <Stack gap={2}>
          <p>No free times on this day.</p>
          {next ? (
            <div>
              <Button variant="secondary" onClick={() => onChoose(next)}>
                Show {formatDay(next)}
              </Button>
            </div>
          ) : (
            <NextFreeDay find={findNextFreeDay} from={date} onFound={onChoose} />
          )}
        </Stack>
      )}
    </>
  );
}
