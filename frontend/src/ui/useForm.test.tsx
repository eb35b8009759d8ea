import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderUi } from '@/testing/render';
import { Button } from './Button';
import { ErrorSummary } from './ErrorSummary';
import { TextInput } from './TextInput';
import { type FieldErrors, useForm } from './useForm';

interface Values {
  email: string;
  'hospital.name': string;
}

function Example({
  submit,
  validate,
}: {
  submit: (values: Values) => Promise<void>;
  validate?: (values: Values) => FieldErrors;
}) {
  const form = useForm<Values>({
    values: { email: '', 'hospital.name': '' },
    validate,
    submit,
    message: (error) => (error as Error).message || 'It failed',
  });
  return (
    <form noValidate onSubmit={form.onSubmit}>
      <ErrorSummary form={form} />
      <TextInput {...form.field('email')} label="Email" />
      <TextInput {...form.field('hospital.name')} label="Hospital" />
      <Button type="submit" busy={form.busy} busyLabel="Sending...">
        Send
      </Button>
    </form>
  );
}

const required = (values: Values): FieldErrors =>
  values.email ? {} : { email: 'Enter your email' };

it('validates on submit, focuses the summary and marks the title', async () => {
  document.title = 'Form - Wellhour';
  const submit = vi.fn();
  renderUi(<Example submit={submit} validate={required} />);
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));

  expect(submit).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(screen.getByRole('alert'));
  expect(document.title).toBe('Error: Form - Wellhour');
  const input = screen.getByLabelText('Email');
  expect(input.getAttribute('aria-invalid')).toBe('true');
  const described = input.getAttribute('aria-describedby') ?? '';
  expect(document.getElementById(described)?.textContent).toBe('Error: Enter your email');

  Element.prototype.scrollIntoView = vi.fn();
  await userEvent.click(screen.getByRole('link', { name: 'Enter your email' }));
  expect(document.activeElement).toBe(input);
});

it('shows the server’s errors at the fields and keeps the typed values', async () => {
  const refusal = Object.assign(new Error('Please correct the form'), {
    errors: { 'hospital.name': ['Too long', 'Too strange'] },
  });
  const submit = vi.fn().mockRejectedValueOnce(refusal).mockResolvedValueOnce(undefined);
  renderUi(<Example submit={submit} />);
  await userEvent.type(screen.getByLabelText('Hospital'), 'Harbor');
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));

  expect(await screen.findByText('Please correct the form')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Too long' })).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Hospital').value).toBe('Harbor');

  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(document.title.startsWith('Error:')).toBe(false);
});

it('submits once, however often the button is clicked', async () => {
  let finish = () => {};
  const submit = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  const { container } = renderUi(<Example submit={submit} />);
  const form = container.querySelector('form') as HTMLFormElement;
  fireEvent.submit(form);
  fireEvent.submit(form);
  expect(await screen.findByRole('button', { name: 'Sending...' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Sending...' }));
  expect(submit).toHaveBeenCalledTimes(1);
  finish();
  expect(await screen.findByRole('button', { name: 'Send' })).toBeTruthy();
});
