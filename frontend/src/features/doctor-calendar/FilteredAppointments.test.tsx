import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ok } from '@/testing/apiResponses';
import { appointmentsData, renderAppointments } from '@/testing/appointments';
import { doctor } from '@/testing/users';
import { FilteredAppointments } from './FilteredAppointments';
import { readQuery } from './query';

test.each([
  ['', 'nearest'],
  ['search=pat', 'nearest'],
  ['status=pending', 'startsAt'],
  ['date=2026-12-08', 'startsAt'],
  ['status=cancelled', '-startsAt'],
  ['scope=past', '-startsAt'],
])('orders the list "%s" by %s', async (asked, ordering) => {
  const server = renderAppointments(
    `/doctor/appointments?${asked}`,
    <FilteredAppointments query={readQuery(new URLSearchParams(asked))} />,
    {
      'GET /auth/profile': () => ok({ user: doctor }),
      'GET /appointments': () => ok(appointmentsData()),
    },
  );
  await waitFor(() =>
    expect(server.asked().some((call) => call.includes(`counts=true&ordering=${ordering}&`))).toBe(
      true,
    ),
  );
});
