import { readStorage, writeStorage } from '@/lib/storage';

/** The one token of the session, under the name the specification gives it. */
const KEY = 'token';
const listeners = new Set<() => void>();
let fallback: string | null = null;

export function getToken(): string | null {
  return readStorage(KEY) ?? fallback;
}

export function setToken(token: string | null): void {
  fallback = token;
  writeStorage(KEY, token);
  for (const listener of listeners) listener();
}

/** Subscribe to token changes, in this or another tab. */
export function subscribeToken(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key !== KEY && event.key !== null) return;
    fallback = event.newValue;
    listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}
