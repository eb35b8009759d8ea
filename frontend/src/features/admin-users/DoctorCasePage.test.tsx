import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { Case, DoctorFile, StaffDoctor } from '@/api/types';
import { CHECKLIST_LABELS } from '@/domain/staff/verification/case';
import { apiError, ok } from '@/testing/apiResponses';
import { renderAppointments } from '@/testing/appointments';
import { doctor as account, admin } from '@/testing/users';
import DoctorCasePage from './DoctorCasePage';
import DoctorsPage from './DoctorsPage';

const license = {
  licenseNumber: 'MA-1',
  licenseAuthority: 'Board of Medicine',
  licenseRegion: 'MA',
  licenseExpiresOn: '2031-05-01',
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
  openCaseKind: 'new',
  missing: [],
};
const nothing = { identity: false, license: false, register: false, specialization: false };
const open: Case = {
  ...license,
  _id: 'c1',
  submittedAt: '2026-01-01T00:00:00Z',
  state: 'open',
  message: 'I moved from Ohio.',
  specialization: 'Cardiology',
  document: { name: 'license.pdf', contentType: 'application/pdf', size: 2048 },
  decidedAt: null,
  decidedBy: null,
  reason: '',
  note: '',
  checklist: nothing,
  revision: 2,
};

function show(file: Partial<DoctorFile>, replies: Parameters<typeof renderAppointments>[2] = {}) {
  const whole = { doctor: waits, cases: [open], upcoming: 0, ...file };
  const calls = renderAppointments(
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

test('shows a license taken by another doctor at its number field, expanded', async () => {
  const sentence = 'Another listed doctor has this license.';
  const { user, changed } = show(
    {},
    {
      'PUT /doctors/d1/approve': () =>
        apiError(409, 'license_taken', sentence, { licenseNumber: [sentence] }),
    },
  );
  await screen.findByText('I moved from Ohio.');
  for (const box of screen.getAllByRole('checkbox')) await user.click(box);
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  const alert = await screen.findByRole('alert');
  expect(within(alert).getByRole('link', { name: sentence })).toBeTruthy();
  const number = screen.getByLabelText('License number');
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

test('lists unchecked items before an approval', async () => {
  const { user, changed } = show({});
  await user.click(await screen.findByRole('button', { name: 'Approve' }));
  const question = await screen.findByRole('alertdialog');
  expect(
    within(question)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(Object.values(CHECKLIST_LABELS).map(({ message }) => message));
  await user.click(within(question).getByRole('button', { name: 'Go back' }));
  expect(changed()).toEqual([]);
});

test('sends nothing if a rejection has no reason', async () => {
  const { user, changed } = show({});
  await user.click(await screen.findByRole('button', { name: 'Reject' }));
  expect((await screen.findByRole('alert')).textContent).toContain('Please give a reason.');
  expect(changed()).toEqual([]);
});

test('revokes an existing approval instead of rejecting it', async () => {
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

test('shows a link back if the doctor no longer exists', async () => {
  show({}, { 'GET /admin/doctors/d1': () => apiError(404, 'not_found') });
  expect(await screen.findByRole('heading', { name: 'Doctor not found' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Show all doctors' }).getAttribute('href')).toBe(
    '/admin/doctors',
  );
});

test('requires a reason to approve an incomplete application and lists what is missing', async () => {
  const incomplete = { ...open, licenseExpiresOn: null, document: null };
  const { user, changed } = show(
    { cases: [incomplete] },
    { 'PUT /doctors/d1/approve': () => ok({ doctor: waits, changed: true }, 'Doctor approved') },
  );
  await screen.findByText(/doesn’t show when the license expires and a copy of the license/);
  for (const box of screen.getAllByRole('checkbox')) await user.click(box);
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Please give a reason to approve without this evidence.',
  );
  expect(changed()).toEqual([]);
  await user.type(screen.getByLabelText('Reason to approve without it'), 'Seen in person');
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(changed()).toHaveLength(1));
  expect(changed()[0]?.[1]).toMatchObject({ isApproved: true, approvalReason: 'Seen in person' });
});

test('shows the next case after a decision, and no revoke button', async () => {
  const next = { ...waits, _id: 'd2', name: 'Bo Next' };
  let isDecided = false;
  const approved: StaffDoctor = {
    ...waits,
    isApproved: true,
    approval: { state: 'approved', reason: '' },
    openCase: null,
    openCaseKind: null,
  };
  const { user } = show(
    {},
    {
      'GET /admin/doctors/d1': () =>
        ok(
          isDecided
            ? { doctor: approved, cases: [{ ...open, state: 'approved' }], upcoming: 0 }
            : { doctor: waits, cases: [open], upcoming: 0 },
        ),
      'GET /admin/doctors': () => ok({ doctors: [waits, next], totals: {}, pagination: {} }),
      'PUT /doctors/d1/approve': () => {
        isDecided = true;
        return ok({ doctor: approved, changed: true }, 'Doctor approved');
      },
    },
  );
  await screen.findByText('I moved from Ohio.');
  for (const box of screen.getAllByRole('checkbox')) await user.click(box);
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  const heading = await screen.findByRole('heading', { name: 'Doctor approved' });
  await waitFor(() => expect(document.activeElement).toBe(heading));
  const link = await screen.findByRole('link', { name: 'Next: Dr. Bo Next' });
  expect(link.getAttribute('href')).toBe('/admin/doctors/d2');
  expect(screen.queryByRole('button', { name: 'Revoke Approval' })).toBeNull();
});

test('shows the result and the next case until the dialog is closed', async () => {
  const next = { ...waits, _id: 'd2', name: 'Bo Next' };
  const totals = { all: 2, pending: 2, approved: 0, rejected: 0, revoked: 0, specializations: 1 };
  let isDecided = false;
  renderAppointments('/admin/doctors', <DoctorsPage />, {
    'GET /admin/doctors': () =>
      ok({
        doctors: isDecided ? [next] : [waits, next],
        totals,
        pagination: { page: 1, pageSize: 24, hasNext: false, count: 2, countIsExact: true },
      }),
    'GET /admin/doctors/d1': () => ok({ doctor: waits, cases: [open], upcoming: 0 }),
    'PUT /doctors/d1/approve': () => {
      isDecided = true;
      return ok({ doctor: { ...waits, openCase: null }, changed: true }, 'Doctor rejected');
    },
  });
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /^Reject.*Ana Ruiz/ }));
  await user.type(await screen.findByLabelText('Reason for rejecting'), 'Blurred scan');
  await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Reject' }));
  const result = within(await screen.findByRole('dialog', { name: 'Doctor rejected' }));
  expect(await result.findByRole('link', { name: 'Next: Dr. Bo Next' })).toBeTruthy();
  expect(screen.getByRole('button', { name: /^Reject.*Ana Ruiz/, hidden: true })).toBeTruthy();

  await user.click(result.getAllByRole('button', { name: 'Close' })[0] as HTMLElement);
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: /^Reject.*Ana Ruiz/ })).toBeNull(),
  );
  expect(screen.getByRole('button', { name: /^Reject.*Bo Next/ })).toBeTruthy();
});

test('reports an outdated decision with the typed text', async () => {
  let isDecided = false;
  const { user } = show(
    {},
    {
      'GET /admin/doctors/d1': () =>
        ok({
          doctor: isDecided
            ? { ...waits, isApproved: true, approval: { state: 'approved', reason: '' } }
            : waits,
          cases: [isDecided ? { ...open, state: 'approved' } : open],
          upcoming: 0,
        }),
      'PUT /doctors/d1/approve': () => {
        isDecided = true;
        return apiError(409, 'case_changed', 'The application has changed.');
      },
    },
  );
  await user.type(await screen.findByLabelText('Reason for rejecting'), 'Blurred scan');
  await user.click(screen.getByRole('button', { name: 'Reject' }));
  expect(await screen.findByText('The application has changed.')).toBeTruthy();
  expect(screen.getByText('Blurred scan', { selector: 'q' })).toBeTruthy();
  expect(await screen.findByRole('button', { name: 'Revoke Approval' })).toBeTruthy();
  expect(screen.getByText('Blurred scan', { selector: 'q' })).toBeTruthy();
});

test('shows that a doctor is deactivated, and can activate them', async () => {
  const inactive: StaffDoctor = {
    ...waits,
    status: 'inactive',
    isApproved: true,
    approval: { state: 'approved', reason: '' },
    approvedAt: '2026-01-04T00:00:00Z',
    openCase: null,
  };
  show({ doctor: inactive, cases: [{ ...open, state: 'approved' }] });
  expect(
    await screen.findByText(/The account is deactivated, so patients can’t find/),
  ).toBeTruthy();
  expect(screen.queryByText(/Patients have been able to find/)).toBeNull();
  expect(screen.getByRole('button', { name: /^Activate/ })).toBeTruthy();
});
