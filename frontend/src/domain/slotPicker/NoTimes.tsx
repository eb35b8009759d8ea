import { Trans } from '@lingui/react/macro';
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
  const openingDay = formatDay(openingDate(date, lastDay, zone));
  const lastDayText = formatDay(lastDay);
  const nextDay = next && formatDay(next);
  return (
    <>
      <ZoneNote zone={zone} sample={null} />
      {date > lastDay ? (
        <p>
          <Trans>
            You can book this day from {openingDay}. For now, you can book through {lastDayText}.
          </Trans>
        </p>
      ) : (
        <Stack gap={2}>
          <p>
            <Trans>No openings on this day.</Trans>
          </p>
          {next ? (
            <div>
              <Button variant="secondary" onClick={() => onChoose(next)}>
                <Trans>Show {nextDay}</Trans>
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
