import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startEngine } from '#infra/local/engine/engine';
import { startGate } from '#infra/local/iam/gate';
import { newCredentials } from '#infra/local/machine/refusal';
import { ServiceError } from '#infra/local/machine/service-error';

const credentials = newCredentials();
vi.stubEnv('ADMIN_PASSWORD', 'correct horse battery');
const engine = await startEngine();
vi.unstubAllEnvs();
const gate = await startGate({ DynamoDB: engine.url }, credentials.accessKeyId);

afterAll(async () => {
  await gate.close();
  await engine.close();
});

const listTables = async (given: typeof credentials) => {
  const client = new DynamoDBClient({
    endpoint: gate.url,
    credentials: given,
    region: 'eu-west-1',
    maxAttempts: 1,
  });
  onTestFinished(() => client.destroy());
  return client.send(new ListTablesCommand());
};

const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/20261121/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0`;
const otherKey = (accessKeyId: string) => authorization.replace(credentials.accessKeyId, accessKeyId);
const TARGET = 'DynamoDB_20120810.ListTables';

/** The answer to `ListTables` with these headers. */
async function answerTo(headers: Record<string, string>, url = gate.url, method = 'POST') {
  const own = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-date': '20261121T000000Z' };
  const sent = request(url, { method, headers: { ...own, 'x-amz-target': TARGET, ...headers } });
  sent.end(method === 'POST' ? '{}' : undefined);
  const [answer] = await once(sent, 'response');
  const body = Buffer.concat(await answer.toArray()).toString();
  return { status: answer.statusCode, headers: Object.keys(answer.headers).join(), body };
}

describe('the gate of the engine', () => {
  test('passes calls of the SDK with the credentials of the instance', async () => {
    expect(await listTables(credentials)).toMatchObject({ TableNames: [] });
    expect(await answerTo({ authorization })).toMatchObject({ status: 200 });
  });

  test('refuses calls of the SDK with other credentials', async () => {
    const refused = { name: 'UnrecognizedClientException' };
    await expect(listTables(newCredentials())).rejects.toMatchObject(refused);
  });

  test.each([
    ['no credentials', {}, 400, 'MissingAuthenticationTokenException'],
    ['another scheme', { authorization: `Bearer ${credentials.accessKeyId}` }, 400, 'MissingAuth'],
    ['the key that any engine takes', { authorization: otherKey('local') }, 400, 'UnrecognizedClient'],
    ['an empty key', { authorization: otherKey('') }, 400, 'MissingAuth'],
    ['a longer key', { authorization: otherKey(`${credentials.accessKeyId}0`) }, 400, 'Unrecognized'],
    ['an origin', { authorization, origin: 'http://127.0.0.1:3000' }, 403, 'AccessDenied'],
    ['the origin null', { authorization, origin: 'null' }, 403, 'AccessDenied'],
    ['another host name', { authorization, host: 'rebound.example' }, 403, 'AccessDenied'],
    ['another service', { authorization, 'x-amz-target': 'AWSEvents.PutEvents' }, 400, 'UnknownOperation'],
  ])('refuses a call with %s', async (_, headers, status, name) => {
    const answer = await answerTo(headers);
    expect(answer).toMatchObject({ status, body: expect.stringContaining(name) });
    expect(answer.headers).not.toContain('access-control');
  });

  test('refuses the preflight of a browser', async () => {
    const preflight = { origin: 'null', 'access-control-request-method': 'POST' };
    const answer = await answerTo(preflight, gate.url, 'OPTIONS');
    expect(answer.status).toBe(403);
    expect(answer.headers).not.toContain('access-control');
  });
});

test('a gate asks for a decision on calls of functions only', async () => {
  const error = new ServiceError('AccessDeniedException', 'no');
  const decide = vi.fn(() => ({ error, text: 'denied' }));
  const terminal = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const confining = await startGate({ DynamoDB: engine.url }, credentials.accessKeyId, decide);
  onTestFinished(async () => {
    terminal.mockRestore();
    await confining.close();
  });
  expect(await answerTo({ authorization }, confining.url)).toMatchObject({ status: 200 });
  expect(decide).not.toHaveBeenCalled();
  const call = { authorization, 'user-agent': 'aws-sdk-js app/token.create' };
  expect(await answerTo(call, confining.url)).toMatchObject({
    status: 400,
    body: JSON.stringify(error.body),
  });
  expect(decide.mock.calls).toEqual([['token.create', TARGET, {}]]);
  expect(terminal).toHaveBeenCalledWith('denied\n');
  await expect(startGate({ DynamoDB: 'https://x' }, 'k')).rejects.toThrow('http URLs, not https://x');
});

test('a gate discards the answer to a client that has gone, and answers the next one', async () => {
  const [asked, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const upstream = createServer(async (incoming, response) => {
    if (incoming.url === '/slow') {
      asked.resolve();
      await gone.promise;
    }
    response.end('an answer');
  }).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  const { port } = upstream.address() as AddressInfo;
  const open = await startGate({ DynamoDB: `http://127.0.0.1:${port}` }, credentials.accessKeyId);
  onTestFinished(async () => {
    await open.close();
    upstream.close();
  });
  const client = new AbortController();
  const headers = { authorization, 'x-amz-target': TARGET };
  const slow = fetch(`${open.url}/slow`, { method: 'POST', headers, signal: client.signal }).catch(
    ({ name }) => name,
  );
  await asked.promise;
  client.abort();
  expect(await slow).toBe('AbortError');
  gone.resolve();
  for (const _ of ['while the upstream answers', 'after that'])
    expect(await answerTo({ authorization }, open.url)).toMatchObject({ body: 'an answer' });
});

describe.runIf(process.platform === 'linux')('an engine', () => {
  const { hostname, port } = new URL(engine.url);

  test('listens on an address of loopback other than 127.0.0.1', async () => {
    expect(hostname).toMatch(/^127\.\d+\.\d+\.\d+$/);
    expect(hostname).not.toBe('127.0.0.1');
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
  });

  test('has no password of the administrator in its environment', () => {
    const environments = readdirSync('/proc')
      .filter((pid) => /^\d+$/.test(pid))
      .flatMap((pid) => {
        try {
          const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
          return command.includes(port) ? [readFileSync(`/proc/${pid}/environ`, 'utf8')] : [];
        } catch {
          // The process has ended.
          return [];
        }
      });
    expect(environments).not.toEqual([]);
    expect(environments.join()).not.toContain('correct horse');
  });
});
