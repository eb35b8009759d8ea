/**
 * Drafts of visitors, kept in this tab until they are sent or the session changes. If session
 * storage is full or unavailable, they last as long as the page.
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

/** Remove all drafts of this tab: somebody else may use this browser now. */
export function clearTabDrafts(): void {
  try {
    for (const key of Object.keys(window.sessionStorage)) {
      if (key.startsWith(PREFIX)) window.sessionStorage.removeItem(key);
    }
  } catch {
    // See above.
  }
}
