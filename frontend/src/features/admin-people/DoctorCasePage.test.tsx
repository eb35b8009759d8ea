import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Case, DoctorFile, StaffDoctor } from '@/api/types';
import { ok, refusal } from '@/testing/answers';
import { doctor as account, admin } from '@/testing/people';
import { renderVisits } from '@/testing/visits';
import { CHECKS } from './case';
import DoctorCasePage from './DoctorCasePage';

const license = {
  licenseNumber: 'MA-1',
  licenseAuthority: 'Board of Medicine',
  licenseRegion: 'MA',
  licenseExpiresOn: null,
};
const waits: StaffDoctor = {
  ...license,
  _id: 'd1',
  name: account.name,
  email: account.email,
  phone: account.phone,
  status: 'active',
  createdAt: account.createdAt,
  profilePicture: null,
  specialization: account.specialization,
  experience: 12,
  consultationFee: 120,
  currency: 'USD',
  rating: { average: 0, count: 0 },
  hospital: account.hospital,
  bio: '',
  isApproved: false,
  approval: { state: 'pending', reason: '' },
  approvedAt: null,
  openCase: 'c1',
  waitingSince: '2026-01-01T00:00:00Z',
};
const nothing = { identity: false, license: false, register: false, specialization: false };
const open: Case = {
  ...license,
  _id: 'c1',
  submittedAt: '2026-01-01T00:00:00Z',
  state: 'open',
  message: 'I moved from Ohio.',
  specialization: 'Cardiology',
  document: null,
  decidedAt: null,
  decidedBy: null,
  reason: '',
  note: '',
  checklist: nothing,
  revision: 2,
};

function show(file: Partial<DoctorFile>, replies: Parameters<typeof renderVisits>[2] = {}) {
  const whole = { doctor: waits, cases: [open], upcoming: 0, ...file };
  const calls = renderVisits(
    '/admin/doctors/d1',
    <DoctorCasePage />,
    {
      'GET /auth/profile': () => ok({ user: admin }),
      'GET /admin/doctors/d1': () => ok(whole),
      ...replies,
    },
    '/admin/doctors/:id',
  );
  return { ...calls, user: userEvent.setup() };
}

test('a licence that another has is refused beside its number, unfolded', async () => {
  const sentence = 'Another listed doctor has this licence.';
  const { user, changed } = show(
    {},
    {
      'PUT /doctors/d1/approve': () =>
        refusal(409, 'license_taken', sentence, { licenseNumber: [sentence] }),
    },
  );
  await screen.findByText('I moved from Ohio.');
  for (const box of screen.getAllByRole('checkbox')) await user.click(box);
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  const alert = await screen.findByRole('alert');
  expect(within(alert).getByRole('link', { name: sentence })).toBeTruthy();
  const number = screen.getByLabelText('Licence number');
  expect(number.getAttribute('aria-invalid')).toBe('true');
  expect(number.closest('details')?.open).toBe(true);
  expect(changed()).toEqual([
    [
      'PUT /doctors/d1/approve',
      {
        isApproved: true,
        note: '',
        checklist: { identity: true, license: true, register: true, specialization: true },
        caseRevision: 2,
      },
    ],
  ]);
});

test('what was not ticked is listed before an approval', async () => {
  const { user, changed } = show({});
  await user.click(await screen.findByRole('button', { name: 'Approve' }));
  const question = await screen.findByRole('alertdialog');
  expect(
    within(question)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(Object.values(CHECKS));
  await user.click(within(question).getByRole('button', { name: 'Go back' }));
  expect(changed()).toEqual([]);
});

test('rejecting without a reason sends nothing', async () => {
  const { user, changed } = show({});
  await user.click(await screen.findByRole('button', { name: 'Reject' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Please give a reason.');
  expect(changed()).toEqual([]);
});

test('an approval that stands is revoked, not rejected', async () => {
  const approved: StaffDoctor = {
    ...waits,
    isApproved: true,
    approval: { state: 'approved', reason: '' },
    approvedAt: '2026-01-04T00:00:00Z',
    openCase: null,
    waitingSince: null,
  };
  show({ doctor: approved, cases: [{ ...open, state: 'approved' }] });
  expect(await screen.findByRole('button', { name: 'Revoke Approval' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Reject' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull();
});

test('a doctor who is no more is said to be so, with a way back', async () => {
  show({}, { 'GET /admin/doctors/d1': () => refusal(404, 'not_found') });
  expect(await screen.findByRole('heading', { name: 'Doctor not found' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Show all doctors' }).getAttribute('href')).toBe(
    '/admin/doctors',
  );
});
