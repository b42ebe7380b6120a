import { request } from 'node:http';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, test } from 'vitest';
import { startEngine } from '#infra/local/engine/engine';
import { startEngineGate } from '#infra/local/engine/engine-gate';
import { newCredentials } from '#infra/local/machine/gate';

const credentials = newCredentials();
const engine = await startEngine();
const gate = await startEngineGate(engine.url, credentials.accessKeyId);
const clientWith = (given: typeof credentials) =>
  new DynamoDBClient({ endpoint: gate.url, credentials: given, region: 'eu-west-1', maxAttempts: 1 });
const client = clientWith(credentials);

afterAll(async () => {
  client.destroy();
  await gate.close();
  await engine.close();
});

/** What `ListTables` is answered with these headers. */
const answerTo = (headers: Record<string, string>, method = 'POST') =>
  new Promise<{ status: number | undefined; headers: object; body: string }>((resolve, reject) => {
    const sent = request(gate.url, {
      method,
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'DynamoDB_20120810.ListTables',
        'x-amz-date': '20261121T000000Z',
        ...headers,
      },
    });
    sent.on('error', reject).on('response', async (answer) => {
      const body = Buffer.concat(await answer.toArray()).toString();
      resolve({ status: answer.statusCode, headers: answer.headers, body });
    });
    sent.end(method === 'POST' ? '{}' : undefined);
  });

const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/20261121/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0`;
const strange = (accessKeyId: string) => authorization.replace(credentials.accessKeyId, accessKeyId);

describe('the gate of the engine', () => {
  test('lets the SDK pass with the credentials of the instance', async () => {
    await client.send(
      new CreateTableCommand({
        TableName: 'any',
        KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
        AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
      }),
    );
    expect(await client.send(new ListTablesCommand())).toMatchObject({ TableNames: ['any'] });
    expect(await answerTo({ authorization })).toMatchObject({ status: 200 });
  });

  test.each([
    ['no credentials', {}, 400, 'MissingAuthenticationTokenException'],
    ['another scheme', { authorization: `Bearer ${credentials.accessKeyId}` }, 400, 'MissingAuth'],
    ['the key that any engine takes', { authorization: strange('local') }, 400, 'UnrecognizedClient'],
    ['an empty key', { authorization: strange('') }, 400, 'MissingAuth'],
    [
      'a key that begins alike',
      { authorization: strange(`${credentials.accessKeyId}0`) },
      400,
      'Unrecognized',
    ],
    ['an origin', { authorization, origin: 'http://127.0.0.1:3000' }, 403, 'AccessDenied'],
    ['the origin null', { authorization, origin: 'null' }, 403, 'AccessDenied'],
    ['a name that leads here', { authorization, host: 'rebound.example' }, 403, 'AccessDenied'],
  ])('refuses %s', async (_, headers, status, name) => {
    const answer = await answerTo(headers);
    expect(answer).toMatchObject({ status, body: expect.stringContaining(name) });
    expect(Object.keys(answer.headers).join()).not.toContain('access-control');
  });

  test('refuses the question of a browser whether it may ask', async () => {
    const answer = await answerTo({ origin: 'null', 'access-control-request-method': 'POST' }, 'OPTIONS');
    expect(answer.status).toBe(403);
    expect(Object.keys(answer.headers).join()).not.toContain('access-control');
  });

  test('tells the SDK that it has other credentials', async () => {
    const other = clientWith(newCredentials());
    await expect(other.send(new ListTablesCommand())).rejects.toThrow(
      expect.objectContaining({ name: 'UnrecognizedClientException' }),
    );
    other.destroy();
  });

  test.runIf(process.platform === 'linux')('the engine behind it is not on 127.0.0.1', async () => {
    const { hostname, port } = new URL(engine.url);
    expect(hostname).toMatch(/^127\.\d+\.\d+\.\d+$/);
    expect(hostname).not.toBe('127.0.0.1');
    expect(hostname).not.toBe(new URL((await startAnother()).url).hostname);
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
  });
});

async function startAnother() {
  const another = await startEngine();
  await another.close();
  return another;
}
