import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ok } from '@/testing/answers';
import { doctor } from '@/testing/people';
import { renderVisits, visitsData } from '@/testing/visits';
import { readQuery } from './query';
import { VisitList } from './VisitList';

test.each([
  ['', 'nearest'],
  ['search=pat', 'nearest'],
  ['status=pending', 'startsAt'],
  ['date=2026-12-08', 'startsAt'],
  ['status=cancelled', '-startsAt'],
  ['scope=past', '-startsAt'],
])('of "%s" the visits come by %s', async (asked, ordering) => {
  const server = renderVisits(
    `/doctor/appointments?${asked}`,
    <VisitList query={readQuery(new URLSearchParams(asked))} />,
    {
      'GET /auth/profile': () => ok({ user: doctor }),
      'GET /appointments': () => ok(visitsData()),
    },
  );
  await waitFor(() =>
    expect(server.asked().some((call) => call.includes(`counts=true&ordering=${ordering}&`))).toBe(
      true,
    ),
  );
});
