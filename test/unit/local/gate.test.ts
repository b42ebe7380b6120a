import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '#infra/local/machine/listen';
import { ServiceError } from '#infra/local/machine/serve-aws';
import { newCredentials } from '#infra/local/sdk-environment';
import { startEngine } from '#infra/local/services/engine';
import type { Decide } from '#infra/local/services/iam/confinement';
import { startGate } from '#infra/local/services/iam/gate';

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

test.each<[string, { headers: object; status: number; name: string; method?: string }]>([
  ['no credentials', { headers: {}, status: 400, name: 'MissingAuthenticationTokenException' }],
  [
    'another scheme',
    { headers: { authorization: `Bearer ${credentials.accessKeyId}` }, status: 400, name: 'MissingAuth' },
  ],
  [
    'the key that any engine accepts',
    { headers: { authorization: otherKey('local') }, status: 400, name: 'UnrecognizedClient' },
  ],
  ['an empty key', { headers: { authorization: otherKey('') }, status: 400, name: 'MissingAuth' }],
  [
    'a longer key',
    {
      headers: { authorization: otherKey(`${credentials.accessKeyId}0`) },
      status: 400,
      name: 'Unrecognized',
    },
  ],
  [
    'an origin',
    { headers: { authorization, origin: 'http://127.0.0.1:3000' }, status: 403, name: 'AccessDenied' },
  ],
  ['the origin null', { headers: { authorization, origin: 'null' }, status: 403, name: 'AccessDenied' }],
  [
    'another host name',
    { headers: { authorization, host: 'rebound.example' }, status: 403, name: 'AccessDenied' },
  ],
  [
    'a body that is too large',
    { headers: { authorization, 'content-length': '30000000' }, status: 400, name: 'Serialization' },
  ],
  [
    'another service',
    {
      headers: { authorization, 'x-amz-target': 'AWSEvents.PutEvents' },
      status: 400,
      name: 'UnknownOperation',
    },
  ],
  [
    'the method of a preflight',
    { headers: { origin: 'http://a' }, status: 403, name: 'AccessDenied', method: 'OPTIONS' },
  ],
])('the gate refuses a call with %s, without CORS headers', async (_, { headers, status, name, method }) => {
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
