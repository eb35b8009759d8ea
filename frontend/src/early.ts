/**
 * The one script that runs before the page is painted, a kilobyte: it brings what is known of the
 * person (colours, and that there may be a session) to <html>, and asks ahead.
 */
import { askAhead } from '@/api/ahead';
import { getToken } from '@/api/token';
import { applyColours } from '@/lib/colours';
import { markSession } from '@/lib/held';

const token = getToken();
applyColours();
markSession(token !== null);
askAhead(window.location, token);
