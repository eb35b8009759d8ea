import { applyAuthStatus, parseJson, toApiError } from './client';
import { ApiError } from './errors';
import { getToken } from './token';
import { apiUrl, type Query } from './url';

/** Upload and download files, with a longer timeout than other calls. */

const TIMEOUT_MS = 120_000;

interface DownloadOptions {
  query?: Query;
  /** Sent as JSON with POST. */
  body?: Record<string, unknown>;
  /** Only for types that phones open in an app and browsers do not display. */
  type?: 'text/calendar';
}

/**
 * Download a file with the bearer token and have the browser save it. It is never displayed: the
 * blob has no type that a browser would run or show on the site's origin.
 *
 * Throws ApiError like every call.
 */
export async function download(
  path: string,
  fallbackName: string,
  { type, ...options }: DownloadOptions = {},
): Promise<void> {
  const { content, disposition } = await fetchFile(path, options);
  const name = fileName(disposition) ?? fallbackName;
  saveAs(new Blob([content], { type: type ?? 'application/octet-stream' }), name);
}

/** Fetch a file with the bearer token: its content and its name header. Throws ApiError. */
export async function fetchFile(
  path: string,
  { query, body }: Pick<DownloadOptions, 'query' | 'body'> = {},
): Promise<{ content: ArrayBuffer; disposition: string | null }> {
  const token = getToken();
  const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
  if (body) headers['Content-Type'] = 'application/json';
  let response: Response;
  let content: ArrayBuffer;
  try {
    response = await fetch(apiUrl(path, query), {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    content = await response.arrayBuffer();
  } catch (error) {
    const late = error instanceof DOMException && error.name === 'TimeoutError';
    throw new ApiError(0, { code: late ? 'timeout' : 'network' });
  }
  applyAuthStatus(token, response.status);
  if (!response.ok) {
    const envelope = parseJson(new TextDecoder().decode(content));
    throw toApiError(response.status, envelope, response.headers.get('Retry-After'));
  }
  return { content, disposition: response.headers.get('Content-Disposition') };
}

/** Return the file name of a Content-Disposition header, or null. */
export function fileName(disposition: string | null): string | null {
  const extended = /filename\*\s*=\s*UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  if (extended) {
    try {
      return decodeURIComponent(extended.trim());
    } catch {
      // Fall back to the plain name.
    }
  }
  return /filename\s*=\s*"([^"]+)"/i.exec(disposition ?? '')?.[1] ?? null;
}

function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // Some browsers start reading after the click handler.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

interface UploadOptions {
  /** From 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/**
 * Send one file as multipart `file` with progress, which `fetch` does not report. Returns `data`.
 *
 * Throws ApiError like every call; an abort by the caller's signal has the code `aborted`.
 */
export function upload<T>(path: string, file: File, options: UploadOptions): Promise<T> {
  const token = getToken();
  const body = new FormData();
  body.append('file', file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (code: string) => () => reject(new ApiError(0, { code }));
    request.open('POST', apiUrl(path));
    request.timeout = TIMEOUT_MS;
    request.setRequestHeader('Accept', 'application/json');
    if (token) request.setRequestHeader('Authorization', `Bearer ${token}`);
    request.upload.onprogress = ({ loaded, total }) =>
      options.onProgress(total ? loaded / total : 0);
    request.onerror = fail('network');
    request.ontimeout = fail('timeout');
    request.onabort = fail('aborted');
    request.onload = () => {
      applyAuthStatus(token, request.status);
      const envelope = parseJson(request.responseText);
      const fine = request.status >= 200 && request.status < 300;
      if (fine && envelope) resolve((envelope.data ?? {}) as T);
      else {
        const status = fine ? 502 : request.status;
        reject(toApiError(status, envelope, request.getResponseHeader('Retry-After')));
      }
    };
    options.signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}
