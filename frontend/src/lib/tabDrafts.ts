/**
 * Unfinished text of somebody who is not signed in, kept in this tab until it is sent or the session
 * changes. Session storage may be full or refused: then the text lives as long as the page.
 */

const PREFIX = 'draft:';

export function readTabDraft(name: string): unknown {
  try {
    return JSON.parse(window.sessionStorage.getItem(PREFIX + name) ?? 'null');
  } catch {
    return null;
  }
}

export function writeTabDraft(name: string, value: unknown): void {
  try {
    window.sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // See above.
  }
}

export function removeTabDraft(name: string): void {
  try {
    window.sessionStorage.removeItem(PREFIX + name);
  } catch {
    // See above.
  }
}

/** Remove every draft of this tab: the person at this browser may be another one now. */
export function clearTabDrafts(): void {
  try {
    for (const key of Object.keys(window.sessionStorage)) {
      if (key.startsWith(PREFIX)) window.sessionStorage.removeItem(key);
    }
  } catch {
    // See above.
  }
}
