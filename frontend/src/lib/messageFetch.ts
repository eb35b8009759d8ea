/** Message catalogs are fetched while the code that shows them is loading. `app/boot.ts` starts it. */

declare global {
  interface Window {
    /** By URL. */
    messageFetches?: Map<string, Promise<Response>>;
  }
}

/** Start fetching catalogs before the code is here. */
export function prefetchMessages(urls: string[]): void {
  window.messageFetches = new Map(
    urls.map((url) => {
      const response = fetch(url);
      // The code that uses the response handles a failure.
      response.catch(() => {});
      return [url, response];
    }),
  );
}

/** Fetch a catalog, or take the response that was requested before. */
export function fetchMessages(url: string): Promise<Response> {
  const early = window.messageFetches?.get(url);
  window.messageFetches?.delete(url);
  return early ?? fetch(url);
}
