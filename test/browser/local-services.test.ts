import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import type { InstanceFile } from '../../infra/local/ready.ts';
import { openContext, REBOUND } from './browser.ts';
import { SERVICES, signedRequest } from './signed-request.ts';
import { openSite } from './site.ts';

const file = JSON.parse(readFileSync(join(inject('data'), 'instance.json'), 'utf8')) as InstanceFile;
const site = await openSite();
const page = await (await openContext()).newPage();

const rebound = (url: string) => url.replace('127.0.0.1', REBOUND);

type Sent = { readonly url: string; readonly init: RequestInit };

/** What the page reads of an answer; undefined when the browser hides the answer. */
const ask = ({ url, init: { method, headers, body } }: Sent, mode: 'cors' | 'no-cors' = 'cors') =>
  page.evaluate(
    async ([to, options]) => {
      const response = await fetch(to, options as RequestInit).catch(() => undefined);
      return response?.text();
    },
    [url, { method, headers, body, mode } as object] as const,
  );

describe.each(SERVICES)('%s', (service) => {
  const sent = signedRequest(file, service);

  test.each([
    ['another port', site.sameSite],
    ['another site', site.crossSite],
    ['a name that was rebound to loopback', rebound(site.sameSite)],
  ])('answers a program, but no page of %s that has the access key', async (_name, origin) => {
    expect((await fetch(sent.url, sent.init)).status).toBe(200);
    await page.goto(`${origin}/`);
    expect(await ask(sent)).toBeUndefined();
    expect(await ask({ ...sent, url: rebound(sent.url) })).toBeUndefined();
  });

  test.each([
    ['another origin', sent.url, { method: 'POST', body: '{}' }],
    ['a name that was rebound to loopback', rebound(sent.url), { method: 'GET' }],
  ])('refuses a simple request from %s', async (_name, url, init) => {
    await page.goto(`${rebound(site.sameSite)}/`);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().startsWith(url)),
      ask({ url, init }, 'no-cors'),
    ]);
    expect(answer.status()).toBe(403);
  });
});
