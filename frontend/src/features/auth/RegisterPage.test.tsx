import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it } from 'vitest';
import { apiResponse, ok, stubApi } from '@/testing/apiResponses';
import { renderAt } from '@/testing/render';
import { patient } from '@/testing/users';
import RegisterPage from './RegisterPage';

const field = (label: string) =>
  screen.getByLabelText<HTMLInputElement>((text) => text.replace(' (optional)', '') === label);
const kept = () => window.sessionStorage.getItem('draft:registration') ?? '';

beforeEach(() => {
  window.sessionStorage.clear();
  stubApi({
    'GET /config': () => ok({ passwordMinLength: 6 }),
    'POST /auth/register/patient': () => apiResponse(201, { token: 't', user: patient }),
  });
});

async function type(label: string, text: string) {
  await userEvent.type(field(label), text);
}

/** Open the page again in the same tab, as a reload does. */
function reload(path = '/register') {
  cleanup();
  renderAt(path, <RegisterPage />);
}

it('restores the typed text after a reload, but no password and no consent', async () => {
  reload();
  await type('Full name', 'Wilma Invented');
  await type('City', 'Leeds');
  await type('Password', 'secret-words-1');
  await type('Confirm password', 'secret-words-2');
  await userEvent.click(screen.getByRole('radio', { name: 'Female' }));
  await userEvent.click(screen.getByRole('checkbox'));
  expect(kept()).not.toMatch(/secret-words|assword|agreed/);
  reload();
  expect(field('Full name').value).toBe('Wilma Invented');
  expect(field('City').value).toBe('Leeds');
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Female' }).checked).toBe(true);
  expect(field('Password').value).toBe('');
  expect(field('Confirm password').value).toBe('');
  expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(false);
});

it('keeps the selected role unless the URL asks for another one', async () => {
  reload();
  await userEvent.selectOptions(field('Register as'), 'doctor');
  await type('License number', 'IL-1');
  reload();
  expect(field('Register as').value).toBe('doctor');
  expect(field('License number').value).toBe('IL-1');
  await userEvent.selectOptions(field('Register as'), 'patient');
  reload('/register?role=doctor');
  expect(field('Register as').value).toBe('doctor');
});

it('ignores invalid stored data', async () => {
  const values = { name: { evil: 1 }, role: 'admin', workingDays: [1], toString: 'x', city: 'y' };
  window.sessionStorage.setItem(
    'draft:registration',
    JSON.stringify({ requestedRole: null, values: { ...values, password: 'p', phone: '1' } }),
  );
  reload();
  expect(field('Full name').value).toBe('');
  expect(field('Register as').value).toBe('patient');
  expect(field('Password').value).toBe('');
  expect(field('Phone number').value).toBe('1');
});

it('deletes the draft after registration', async () => {
  reload();
  await type('Full name', 'Wilma Invented');
  await type('Email address', 'wilma@example.com');
  await type('Phone number', '+1 202 555 0101');
  await type('Day', '27');
  await type('Month', '3');
  await type('Year', '1985');
  await type('Password', 'secret-words-1');
  await type('Confirm password', 'secret-words-1');
  await userEvent.click(screen.getByRole('checkbox'));
  expect(kept()).not.toBe('');
  await userEvent.click(screen.getByRole('button', { name: 'Create account' }));
  await waitFor(() => expect(kept()).toBe(''));
});

it('asks to agree to the terms too if there are any', async () => {
  stubApi({ 'GET /config': () => ok({ passwordMinLength: 6, texts: ['terms'] }) });
  reload();
  await screen.findByRole('link', { name: 'terms of use' });
  const consent = screen.getByRole('checkbox', {
    name: 'I have read and agree to the terms of use and the privacy policy',
  });
  expect(consent).toBeDefined();
});
