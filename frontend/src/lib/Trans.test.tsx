import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderUi } from '@/testing/render';

it('shows tags and escape sequences in a value literally', () => {
  const name = '<b>Ann</b> <0>Lee</0> \\u0041 <0/>';
  renderUi(
    <p>
      <Trans>
        Book with {name} <strong>today</strong>
      </Trans>
    </p>,
  );
  const text = screen.getByText(/Book with/);
  expect(text).toHaveProperty('textContent', `Book with ${name} today`);
  expect([...text.querySelectorAll('*')].map((each) => each.textContent)).toEqual(['today']);
});

it('shows escape sequences in a value of a text literally', () => {
  const name = 'C:\\u0041 \\x41 \\U0041 \\n \\\\u0041';
  expect(t`Remove ${name}?`).toBe(`Remove ${name}?`);
});
