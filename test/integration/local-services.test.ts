import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import type { InstanceFile } from '../../infra/local/ready.ts';

/** What only a local instance has, and only with an engine of its own. */
const path = join(inject('data'), 'instance.json');
const file = inject('stack') ? undefined : (JSON.parse(readFileSync(path, 'utf8')) as InstanceFile);
const { credentials } = file ?? {};

const READS = {
  dynamodb: ['DynamoDB_20120810.Scan', { TableName: file?.table, Limit: 1 }],
  events: ['AWSEvents.PutEvents', { Entries: [{ Source: 's', DetailType: 't', Detail: '{}' }] }],
  secretsmanager: ['secretsmanager.GetSecretValue', { SecretId: 'signing-key' }],
} as const;

describe.runIf(credentials)('the credentials of the instance', () => {
  const key = credentials?.accessKeyId ?? '';

  test('stand in a file that only its owner may read', () => {
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(credentials).toEqual({ accessKeyId: expect.any(String), secretAccessKey: expect.any(String) });
  });

  describe.each(Object.entries(READS))('open %s', (service, [target, input]) => {
    const ask = async (accessKey: string | undefined, headers: Record<string, string> = {}) => {
      const signed = {
        authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/20261121/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`,
      };
      const response = await fetch(file?.[service as keyof typeof READS] ?? '', {
        method: 'POST',
        headers: {
          'content-type': `application/x-amz-json-${service === 'dynamodb' ? '1.0' : '1.1'}`,
          'x-amz-target': target,
          'x-amz-date': '20261121T000000Z',
          ...(accessKey === undefined ? {} : signed),
          ...headers,
        },
        body: JSON.stringify(input),
      });
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
