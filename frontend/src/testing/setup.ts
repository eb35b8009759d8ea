import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { setToken } from '@/api/token';
import { setMessages } from '@/lib/i18n';
import { setFormatLocale } from '@/lib/locale';

// Machines that run everything at once are slow.
configure({ asyncUtilTimeout: 10_000 });

// Dates and times as in Britain, 14:00, so that a test reads times as the API has them; lib/locale.test.ts tests others.
setFormatLocale('en-GB');

// English messages are part of the code while testing.
setMessages('en', {});

// The files of a worker share one document and its modules (vitest.config.ts): nothing may stay for the next test.
afterEach(() => {
  vi.useRealTimers();
  cleanup();
  vi.unstubAllGlobals();
  setFormatLocale('en-GB');
  setToken(null);
  window.localStorage.clear();
  window.sessionStorage.clear();
  window.history.replaceState(null, '', '/');
  for (const { name } of [...document.documentElement.attributes]) {
    document.documentElement.removeAttribute(name);
  }
});

// jsdom has the element but not its modal methods.
HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
  this.open = false;
};

// Nor does it scroll.
Element.prototype.scrollIntoView ??= () => {};
