import { QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import { configQuery, createQueryClient } from '@/api/queries';
import type { Appointment, Config } from '@/api/types';
import { NoResults } from '@/features/directory/NoResults';
import { CorrectionHint } from '@/features/patient-appointments/CorrectionHint';
import { ApprovalNote } from '@/features/profile/ApprovalNote';
import { renderUi } from '@/testing/render';
import { doctor } from '@/testing/users';

const NONE = { email: '', phone: '', address: '' };

function show(children: ReactNode, contact: Config['contact']) {
  const client = createQueryClient();
  client.setQueryData(configQuery.queryKey, { contact, texts: [] } as unknown as Config);
  const { container } = renderUi(
    <QueryClientProvider client={client}>
      <MemoryRouter>{children}</MemoryRouter>
    </QueryClientProvider>,
  );
  return container.textContent;
}

const contactLinks = () =>
  screen.queryAllByRole('link').filter((link) => link.getAttribute('href') === '/contact');

describe.each([
  ['an email address', { ...NONE, email: 'care@example.org' }, 1],
  ['an address', { ...NONE, address: '1 Elm Street' }, 1],
  ['no contact', NONE, 0],
])('with %s', (_name, contact, links) => {
  it('asks accordingly where no doctor takes bookings', () => {
    const text = show(<NoResults query={{}} />, contact);
    expect(contactLinks()).toHaveLength(links);
    expect(text?.includes('Please come back soon, or ask us for help.')).toBe(links === 1);
    expect(text?.includes('Please come back soon.')).toBe(links === 0);
  });

  it.each(['rejected', 'revoked'] as const)('asks accordingly a doctor who is %s', (state) => {
    const text = show(<ApprovalNote approval={{ ...doctor.approval, state }} />, contact);
    expect(contactLinks()).toHaveLength(links);
    expect(text?.includes('contact us.')).toBe(links === 1 && state === 'revoked');
  });

  it('asks accordingly a patient of a clinic without a phone number', () => {
    const appointment = {
      doctor: { name: 'Dr. Ana Ruiz' },
      hospital: { name: 'Harbor Clinic', phone: '' },
    } as unknown as Appointment;
    const text = show(<CorrectionHint appointment={appointment} />, contact);
    expect(text).toContain('We don’t have a phone number for the clinic.');
    expect(contactLinks()).toHaveLength(links);
    expect(text?.includes('Please tell them at your next appointment.')).toBe(links === 0);
  });
});
