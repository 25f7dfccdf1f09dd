import type { Page } from 'playwright';
import type { Answer } from '../../faults/data-server.ts';

interface Request {
  readonly token?: string;
  readonly body?: unknown;
  /** A picture to upload. */
  readonly file?: { readonly name: string; readonly bytes: Buffer };
}

/** Sends a request from a page to the server of the page. The process of the test may be in another network. */
export const fetchFrom = (
  page: Page,
  method: string,
  path: string,
  { token, body, file }: Request = {},
): Promise<Answer> =>
  page.evaluate(
    async ({ method, path, token, body, file }) => {
      const form = new FormData();
      if (file) {
        const bytes = Uint8Array.from(atob(file.base64), (c) => c.charCodeAt(0));
        form.set('file', new Blob([bytes], { type: 'image/jpeg' }), file.name);
      }
      const send = () =>
        fetch(path, {
          method,
          headers: {
            ...(token && { Authorization: `Bearer ${token}` }),
            ...(body !== undefined && { 'Content-Type': 'application/json' }),
          },
          ...(file ? { body: form } : body !== undefined && { body: JSON.stringify(body) }),
        });
      // Repeats a failed GET request, because Chromium aborts requests when a network address appears or disappears.
      const response = await send().catch((error) => (method === 'GET' ? send() : Promise.reject(error)));
      const text = await response.text();
      return { status: response.status, body: /^[[{]/.test(text) && !text.includes('\n{') ? JSON.parse(text) : text };
    },
    { method, path, token, body, file: file && { name: file.name, base64: file.bytes.toString('base64') } },
  );
