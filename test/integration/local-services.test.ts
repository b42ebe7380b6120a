import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import type { InstanceFile } from '../../infra/local/ready.ts';
import { SERVICES, signedRequest } from './signed-request.ts';

const path = join(inject('data'), 'instance.json');
const file = inject('stack') ? undefined : (JSON.parse(readFileSync(path, 'utf8')) as InstanceFile);
const { credentials } = file ?? {};

/** An instance on a DynamoDB of the user has no credentials of its own. */
describe.runIf(credentials)('the credentials of the instance', () => {
  test('are in a file that only its owner may read', () => {
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(credentials).toEqual({ accessKeyId: expect.any(String), secretAccessKey: expect.any(String) });
  });

  test.each(SERVICES)('are required by %s, of which web pages get no answer', async (service) => {
    const status = async (accessKey: string | undefined, more: Record<string, string> = {}) => {
      const { url, init } = signedRequest(file as InstanceFile, service, accessKey);
      return (await fetch(url, { ...init, headers: { ...init.headers, ...more } })).status;
    };
    const key = credentials?.accessKeyId;
    expect(await status(key)).toBe(200);
    expect([await status(undefined), await status('local')]).toEqual([400, 400]);
    expect(await status(key, { origin: 'http://127.0.0.1:3000' })).toBe(403);
  });
});
