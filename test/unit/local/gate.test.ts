import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Decide } from '#infra/local/iam/confinement';
import { startGate } from '#infra/local/iam/gate';
import { listen } from '#infra/local/machine/listen';
import { ServiceError } from '#infra/local/machine/serve-aws';
import { newCredentials } from '#infra/local/sdk-environment';
import { startEngine } from '#infra/local/services/engine';

const PASSWORD = 'correct horse battery';
const credentials = newCredentials();
vi.stubEnv('ADMIN_PASSWORD', PASSWORD);
const engine = await startEngine();
vi.unstubAllEnvs();
const gate = await startGate({ DynamoDB: engine.url }, credentials.accessKeyId);

afterAll(async () => {
  await gate.close();
  await engine.close();
});

async function openGate(upstream: string, decide?: Decide) {
  const { url, close } = await startGate({ DynamoDB: upstream }, credentials.accessKeyId, decide);
  onTestFinished(close);
  return url;
}

const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/20261121/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0`;
const otherKey = (accessKeyId: string) => authorization.replace(credentials.accessKeyId, accessKeyId);
const TARGET = 'DynamoDB_20120810.ListTables';
const CALL = {
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-date': '20261121T000000Z',
  'x-amz-target': TARGET,
};

/** The answer to `ListTables` with these headers. */
async function answerTo(headers: Record<string, string>, url = gate.url, method = 'POST') {
  const sent = request(url, { method, headers: { ...CALL, ...headers } });
  sent.end(method === 'POST' ? '{}' : undefined);
  const [answer] = await once(sent, 'response');
  const body = Buffer.concat(await answer.toArray()).toString();
  return { status: answer.statusCode, headers: Object.keys(answer.headers).join(), body };
}

test('the gate passes calls of the SDK with the credentials of the instance only', async () => {
  const listTables = (given: typeof credentials) => {
    const options = { endpoint: gate.url, credentials: given, region: 'eu-west-1', maxAttempts: 1 };
    return new DynamoDBClient(options).send(new ListTablesCommand());
  };
  expect(await listTables(credentials)).toMatchObject({ TableNames: [] });
  const refused = { name: 'UnrecognizedClientException' };
  await expect(listTables(newCredentials())).rejects.toMatchObject(refused);
});

test.each<[string, object, number, string, string?]>([
  ['no credentials', {}, 400, 'MissingAuthenticationTokenException'],
  ['another scheme', { authorization: `Bearer ${credentials.accessKeyId}` }, 400, 'MissingAuth'],
  ['the key that any engine accepts', { authorization: otherKey('local') }, 400, 'UnrecognizedClient'],
  ['an empty key', { authorization: otherKey('') }, 400, 'MissingAuth'],
  ['a longer key', { authorization: otherKey(`${credentials.accessKeyId}0`) }, 400, 'Unrecognized'],
  ['an origin', { authorization, origin: 'http://127.0.0.1:3000' }, 403, 'AccessDenied'],
  ['the origin null', { authorization, origin: 'null' }, 403, 'AccessDenied'],
  ['another host name', { authorization, host: 'rebound.example' }, 403, 'AccessDenied'],
  ['a body that is too large', { authorization, 'content-length': '30000000' }, 400, 'Serialization'],
  ['another service', { authorization, 'x-amz-target': 'AWSEvents.PutEvents' }, 400, 'UnknownOperation'],
  ['the method of a preflight', { origin: 'http://a' }, 403, 'AccessDenied', 'OPTIONS'],
])('the gate refuses a call with %s, without CORS headers', async (_, headers, status, name, method) => {
  const answer = await answerTo(headers as Record<string, string>, gate.url, method);
  expect(answer).toMatchObject({ status, body: expect.stringContaining(name) });
  expect(answer.headers).not.toContain('access-control');
});

test('a confining gate requests a decision only for calls of functions', async () => {
  const error = new ServiceError('AccessDeniedException', 'no');
  const decide = vi.fn(() => ({ error, text: 'denied' }));
  const terminal = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => terminal.mockRestore());
  const url = await openGate(engine.url, decide);
  expect(await answerTo({ authorization }, url)).toMatchObject({ status: 200 });
  expect(decide).not.toHaveBeenCalled();
  const refused = await answerTo({ authorization, 'user-agent': 'aws-sdk-js app/token.create' }, url);
  expect(refused).toMatchObject({ status: 400, body: JSON.stringify({ __type: error.name, message: 'no' }) });
  expect(decide.mock.calls).toEqual([['token.create', TARGET, {}]]);
  expect(terminal).toHaveBeenCalledWith('denied\n');
  await expect(openGate('https://x')).rejects.toThrow('http URLs, not https://x');
});

test('a gate discards the answer to a client that has disconnected, and answers the next one', async () => {
  const [asked, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const upstream = createServer(async (incoming, response) => {
    if (incoming.url === '/slow') {
      asked.resolve();
      await gone.promise;
    }
    response.end('an answer');
  });
  const { url: upstreamUrl, close } = await listen(upstream);
  onTestFinished(close);
  const url = await openGate(upstreamUrl);
  const client = new AbortController();
  const call = { method: 'POST', headers: { ...CALL, authorization }, signal: client.signal };
  const slow = fetch(`${url}/slow`, call);
  await asked.promise;
  client.abort();
  await expect(slow).rejects.toThrow('aborted');
  gone.resolve();
  for (const _ of ['while the upstream answers', 'after that'])
    expect(await answerTo({ authorization }, url)).toMatchObject({ body: 'an answer' });
});

test.runIf(process.platform === 'linux')('an engine is not on 127.0.0.1, and has no password', async () => {
  const { hostname, port } = new URL(engine.url);
  expect(hostname).toMatch(/^127\.(?!0\.0\.1$)\d+\.\d+\.\d+$/);
  await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
  const read = (pid: string, name: string) => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, 'utf8');
    } catch {
      return '';
    }
  };
  const engines = readdirSync('/proc').filter((pid) => read(pid, 'cmdline').split('\0').includes(port));
  expect(engines).not.toEqual([]);
  expect(engines.map((pid) => read(pid, 'environ')).join()).not.toContain(PASSWORD);
});
