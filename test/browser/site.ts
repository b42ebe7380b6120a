import { createServer } from 'node:http';
import { afterAll } from 'vitest';
import { listen } from '../../infra/local/machine/listen.ts';

export interface Content {
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const BLANK: Content = { body: '<!doctype html><title>A page</title>' };

/**
 * A site on another port of loopback, until the test file ends. Its paths are blank pages, except `/to?<url>`, which
 * redirects there with the method and the body, and what is put on it.
 */
export async function openSite() {
  const pages = new Map<string, Content>();
  const server = createServer(({ url = '' }, response) => {
    if (url.startsWith('/to?')) {
      response.writeHead(307, { location: decodeURIComponent(url.slice('/to?'.length)) }).end();
      return;
    }
    const { body, headers } = pages.get(url) ?? BLANK;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);
  });
  const { url, close } = await listen(server);
  afterAll(close);
  return {
    /** Its origin under the name of the service: the same site, another origin. */
    sameSite: url,
    /** Its origin under another name: another site. */
    crossSite: url.replace('127.0.0.1', 'localhost'),
    /** Sets the answer at a path. */
    put: (path: string, content: Content) => void pages.set(path, content),
  };
}
