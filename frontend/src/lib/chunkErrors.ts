/** Errors of failed downloads: the page works, but its code or its messages could not be loaded. */
const errors = new WeakSet<object>();

/** Vite reports each failed import before it throws the same error. */
export function trackChunkErrors(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => errors.add(payload));
}

export function recordChunkError(error: object): void {
  errors.add(error);
}

export function isChunkError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && errors.has(error);
}
