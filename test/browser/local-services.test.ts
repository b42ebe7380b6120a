import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import type { InstanceFile } from '../../infra/local/ready.ts';
import { SERVICES, signedRequest } from '../integration/signed-request.ts';
import { browser, REBOUND } from './browser.ts';
import { openSite } from './site.ts';

const file = JSON.parse(readFileSync(join(inject('data'), 'instance.json'), 'utf8')) as InstanceFile;
const accessKey = file.credentials?.accessKeyId;
const site = await openSite();
const page = await browser.newPage();

const rebound = (url: string) => url.replace('127.0.0.1', REBOUND);

interface Sent {
  readonly url: string;
  readonly init: {
    readonly method: string;
    readonly headers?: Record<string, string>;
    readonly body?: string;
  };
}

/** What the page reads of an answer; undefined where the browser does not show it the answer. */
const ask = ({ url, init }: Sent, mode: 'cors' | 'no-cors' = 'cors') =>
  page.evaluate(
    async ([to, options]) => {
      const response = await fetch(to, options).catch(() => undefined);
      return response && { status: response.status, type: response.type, text: await response.text() };
    },
    [url, { ...init, mode }] as const,
  );

describe.each(SERVICES)('%s', (service) => {
  const sent = signedRequest(file, service, accessKey);

  test('answers who has the access key', async () => {
    expect((await fetch(sent.url, sent.init)).status).toBe(200);
  });

  test.each([
    ['another port', site.sameSite],
    ['another site', site.crossSite],
    ['a name that has been pointed at loopback', rebound(site.sameSite)],
  ])('shows a page of %s nothing, though it has the key', async (_name, origin) => {
    await page.goto(`${origin}/`);
    expect(await ask(sent)).toBeUndefined();
    expect(await ask({ ...sent, url: rebound(sent.url) })).toBeUndefined();
  });

  // Without the right key, of which such requests can have none, a program gets 400.
  test.each([
    ['from another origin', sent.url, { method: 'POST', body: '{}' }],
    ['by a name that has been pointed at loopback', rebound(sent.url), { method: 'GET' }],
  ])('refuses what a page may send unasked: %s', async (_name, url, init) => {
    await page.goto(`${rebound(site.sameSite)}/`);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().startsWith(url)),
      ask({ url, init }, 'no-cors'),
    ]);
    expect(answer.status()).toBe(403);
  });

  test('tells a program without a key that it needs one', async () => {
    expect((await fetch(sent.url, { method: 'POST', body: '{}' })).status).toBe(400);
  });
});
