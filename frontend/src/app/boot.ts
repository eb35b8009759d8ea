/**
 * The only script that runs before the page is painted (about 1 kB): it puts what is known about the
 * user (color scheme, and whether there may be a session) on <html> and prefetches data. If there is
 * something to read without the page's code, the code loads after the paint to save bandwidth.
 */
import { prefetch } from '@/api/prefetch';
import { getToken } from '@/api/token';
import { applyColorScheme } from '@/lib/colorScheme';
import { prefetchMessages } from '@/lib/messageFetch';
import { markSession } from '@/lib/sessionMarker';

/** Background tabs may never paint. */
const PATIENCE_MS = 1_000;
/** Pages that show days and times first of all. */
const DATED = /^\/(?:patient\/)?(?:doctors|book-appointment)\b/;

const token = getToken();
applyColorScheme();
markSession(token !== null);
prefetch(window.location, token);

const { code: scripts, messages } =
  (document.currentScript as HTMLScriptElement | null)?.dataset ?? {};
const bringMessages = () => prefetchMessages(messages?.split(' ') ?? []);
/** URLs of the scripts, the entry first. */
const code = scripts?.split(' ');
if (code) {
  const bring = () => {
    if (code.length === 0) return;
    const [entry] = code;
    bringMessages();
    for (const href of code.splice(0)) {
      document.head.append(
        Object.assign(document.createElement('link'), { rel: 'modulepreload', href }),
      );
    }
    void import(/* @vite-ignore */ entry as string);
    // The first use of Intl takes a tenth of a second on a slow phone. It costs nothing while the
    // code is loading; later it would delay the free times.
    if (DATED.test(window.location.pathname)) setTimeout(() => Intl.DateTimeFormat());
  };
  document.addEventListener('DOMContentLoaded', () => {
    setTimeout(bring, document.hidden ? 0 : PATIENCE_MS);
    requestAnimationFrame(() => setTimeout(bring));
  });
} else {
  bringMessages();
}
