import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import type { InstanceFile } from '../../infra/local/ready.ts';
import { SERVICES, signedRequest } from './signed-request.ts';

/** What only a local instance has, and only with an engine of its own. */
const path = join(inject('data'), 'instance.json');
const file = inject('stack') ? undefined : (JSON.parse(readFileSync(path, 'utf8')) as InstanceFile);
const { credentials } = file ?? {};

describe.runIf(credentials)('the credentials of the instance', () => {
  const key = credentials?.accessKeyId ?? '';

  test('stand in a file that only its owner may read', () => {
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(credentials).toEqual({ accessKeyId: expect.any(String), secretAccessKey: expect.any(String) });
  });

  describe.each(SERVICES)('open %s', (service) => {
    const ask = async (accessKey: string | undefined, headers: Record<string, string> = {}) => {
      const { url, init } = signedRequest(file as InstanceFile, service, accessKey);
      const response = await fetch(url, { ...init, headers: { ...init.headers, ...headers } });
      return { status: response.status, text: await response.text() };
    };

    test('to who has them', async () => {
      expect(await ask(key)).toMatchObject({ status: 200 });
    });

    test.each([
      ['who has none', undefined, {}],
      ['who has others', 'local', {}],
      ['a web page that has them', key, { origin: 'http://127.0.0.1:3000' }],
    ])('and to nobody else: %s', async (_, accessKey, headers) => {
      const { status, text } = await ask(accessKey, headers);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(JSON.parse(text)).toEqual({ __type: expect.any(String), message: expect.any(String) });
    });
  });
});
