import { cleanup, configure } from '@testing-library/react';
import { afterEach, vi } from 'vitest';
import { setToken } from '@/api/token';

// A busy computer is no failing test.
configure({ asyncUtilTimeout: 5_000 });

// Machines that run everything at once are slow.
configure({ asyncUtilTimeout: 10_000 });

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  setToken(null);
  window.localStorage.clear();
  window.sessionStorage.clear();
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
