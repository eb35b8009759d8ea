import { describe, expect, it } from 'vitest';
import { formatWait } from '@/lib/formatWait';
import { ApiError, messageOf } from './errors';

describe('waits', () => {
  it.each([
    [1, '1 second'],
    [60, '60 seconds'],
    [89, '89 seconds'],
    [90, '2 minutes'],
    [901, '16 minutes'],
    [3540, '59 minutes'],
    [3601, '1 hour'],
    [7300, '2 hours'],
  ])('formats %i seconds as "%s"', (seconds, words) => {
    expect(formatWait(seconds)).toBe(words);
  });

  it('adds the waiting time to a rate limit error if the server sends one', () => {
    const said = { message: 'Too many attempts. Please wait a little.', code: 'too_many' };
    expect(messageOf(new ApiError(429, said, 40), 'Login failed')).toBe(
      'Too many attempts. Try again in 40 seconds.',
    );
    expect(messageOf(new ApiError(429, said), 'Login failed')).toBe(said.message);
    const other = { message: 'You booked 20 appointments.', code: 'booked_too_often' };
    expect(messageOf(new ApiError(429, other, 40), 'Failed')).toBe(other.message);
  });
});

describe('failures of the server', () => {
  it('are named with the id of the request', () => {
    const said = { message: 'Something went wrong on our side.', code: 'server_error' };
    expect(messageOf(new ApiError(500, { ...said, requestId: 'abc' }), 'Login failed')).toBe(
      'Something went wrong on our side. Please try again. (Request ID: abc)',
    );
    expect(messageOf(new ApiError(500, said), 'Login failed')).toBe(said.message);
  });

  it('are named by the fallback without a message', () => {
    expect(messageOf(new ApiError(418, { code: 'new', requestId: 'abc' }), 'Login failed')).toBe(
      'Login failed. Please try again. (Request ID: abc)',
    );
    expect(messageOf(new ApiError(502), 'Login failed')).toBe('Login failed');
  });
});
