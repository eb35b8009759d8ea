import { describe, expect, it } from 'vitest';
import type { OwnCase } from '@/api/types';
import { addDays, today } from '@/lib/dates';
import { checkApplication, initialApplication } from './application';
import { verificationStatus } from './verificationStatus';

const aCase: OwnCase = {
  _id: 'c1',
  submittedAt: '2026-11-01T09:00:00Z',
  state: 'rejected',
  message: 'My first word.',
  specialization: 'Neurology',
  licenseNumber: 'N-1',
  licenseAuthority: 'Board of Elm',
  licenseRegion: 'Elm',
  licenseExpiresOn: '2030-01-31',
  document: null,
  decidedAt: '2026-11-02T09:00:00Z',
  reason: 'The copy is not legible.',
};
const open: OwnCase = { ...aCase, state: 'open', reason: '', decidedAt: null };

describe('the form', () => {
  it('starts with the last application, but with an empty message', () => {
    expect(initialApplication([aCase], 'OLD')).toMatchObject({ licenseNumber: 'N-1', message: '' });
    expect(initialApplication([open], 'OLD').message).toBe('My first word.');
    expect(initialApplication([], 'OLD').licenseNumber).toBe('OLD');
  });

  it('requires what staff need, and a license that has not expired', () => {
    const good = { ...initialApplication([aCase], ''), licenseExpiresOn: today() };
    expect(checkApplication(good)).toEqual({});
    expect(
      Object.keys(checkApplication({ ...good, licenseNumber: ' ', licenseAuthority: '' })),
    ).toEqual(['licenseNumber', 'licenseAuthority']);
    for (const day of ['', '2026-02-30', addDays(today(), -1)]) {
      expect(Object.keys(checkApplication({ ...good, licenseExpiresOn: day }))).toEqual([
        'licenseExpiresOn',
      ]);
    }
  });

  it('refuses an invalid file before the upload', () => {
    const text = new File(['x'], 'notes.txt', { type: 'text/plain' });
    const values = { ...initialApplication([aCase], ''), document: text };
    expect(checkApplication(values)).toEqual({
      document: 'You can add only PDF, JPEG, PNG, and WebP files.',
    });
  });
});

describe('verificationStatus', () => {
  const of = (state: 'approved' | 'pending' | 'rejected' | 'revoked', ...cases: OwnCase[]) =>
    verificationStatus({ approval: { state, reason: '' }, cases });

  it('opens the form if the doctor has to act', () => {
    expect(of('rejected', aCase).open).toBe(true);
    expect(of('revoked', aCase).open).toBe(true);
    expect(of('pending').open).toBe(true);
    expect(of('pending', open).open).toBe(false);
    expect(of('approved', aCase).open).toBe(false);
  });

  it('tells what a new doctor’s application lacks, with the form open', () => {
    const bare = { ...open, licenseAuthority: '', licenseExpiresOn: null };
    expect(of('pending', bare)).toMatchObject({ tone: 'warning', open: true });
    expect(of('pending', bare).text).toContain(
      'we still need to know who issued it and when it expires.',
    );
    expect(of('pending', { ...open, licenseExpiresOn: null }).text).toContain(
      'need to know when it expires.',
    );
  });

  it('tells an approved doctor whether staff are checking a renewed license', () => {
    expect(of('approved', open).title).toContain('we’re checking');
    expect(of('approved', aCase).title).toBe('You’re verified');
  });
});
