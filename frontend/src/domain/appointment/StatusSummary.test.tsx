import { expect, test } from 'vitest';
import { makeAppointment } from '@/testing/appointments';
import { renderUi } from '@/testing/render';
import { StatusSummary } from './StatusSummary';

const cancelled = makeAppointment({
  status: 'cancelled',
  cancelledBy: 'patient',
  cancelReason: 'I am ill.',
  cancelReply: 'Get well soon.',
});

test.each([
  [
    'patient',
    'You cancelled this appointment. Reason: I am ill.Dr. Ana Ruiz replied: Get well soon.',
  ],
  [
    'doctor',
    'The patient cancelled this appointment. Reason: I am ill.You replied: Get well soon.',
  ],
] as const)('shows the doctor’s reply below the patient’s reason: %s', (reader, said) => {
  const { container } = renderUi(<StatusSummary appointment={cancelled} reader={reader} />);
  expect(container.querySelector('p')?.textContent).toBe(said);
});

test('shows no reply if there is none', () => {
  const { container } = renderUi(
    <StatusSummary appointment={{ ...cancelled, cancelReply: '' }} reader="patient" />,
  );
  expect(container.querySelector('p')?.textContent).toBe(
    'You cancelled this appointment. Reason: I am ill.',
  );
});
