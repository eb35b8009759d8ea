/** Errors of imports that failed: the page is fine, its code could not be fetched. */
const errors = new WeakSet<object>();

/** Vite reports each failed import before it throws the same error. */
export function trackChunkErrors(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => errors.add(payload));
}

export function isChunkError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && errors.has(error);
}
