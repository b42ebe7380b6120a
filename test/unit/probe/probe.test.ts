import { createServer, type RequestListener } from 'node:http';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { contract as login } from '#lib/login/login.contract';
import { probeInstance } from '#lib/probe/probe';
import { contract as jwks } from '#lib/system/jwks.contract';
import { isApiToken } from '#lib/text/api-token-form';
import { listen } from '../../../infra/local/machine/listen.ts';
import { logLines } from '../support/log-lines.ts';

const lines = logLines();
let answer: RequestListener;
const { url, close } = await listen(createServer((request, response) => answer(request, response)));
afterAll(close);

/** An instance that answers these statuses. */
const answering = (ofJwks: number, ofLogin: number) => {
  answer = ({ url: path }, response) => {
    response.writeHead(path === jwks.path ? ofJwks : ofLogin).end('{}');
  };
};

test('probeInstance requests the keys, and logs in with a token that is well-formed, so that the login reads the table', async () => {
  const requests: unknown[] = [];
  answer = async (request, response) => {
    const text = (await request.toArray()).join('');
    requests.push([request.url, request.method, request.headers['content-type'], text && JSON.parse(text)]);
    response.writeHead(request.url === jwks.path ? 200 : 401).end();
  };
  await probeInstance(url);
  const credentials = { username: 'api', password: expect.toSatisfy(isApiToken) };
  expect(requests.sort()).toEqual([
    [login.path, 'POST', 'application/json', credentials],
    [jwks.path, 'GET', undefined, ''],
  ]);
});

test.each([
  [200, 401, 'ok', 'info'],
  [503, 401, 'failed', 'error'],
  [200, 503, 'failed', 'error'],
  [200, 200, 'failed', 'error'],
  // An answer without a body.
  [204, 401, 'failed', 'error'],
])('probeInstance logs the statuses %i and %i as %s', async (ofJwks, ofLogin, probe, level) => {
  answering(ofJwks, ofLogin);
  const result = { probe, jwks: ofJwks, login: ofLogin };
  expect(await probeInstance(url)).toEqual(result);
  expect(lines).toEqual([
    { level, function: 'monitoring.probe', message: 'The public URL was probed', ...result },
  ]);
});

test('probeInstance logs why there is no answer', async () => {
  const nowhere = { probe: 'failed', jwks: 'ECONNREFUSED', login: 'ECONNREFUSED' };
  const gone = await listen(createServer());
  await gone.close();
  expect(await probeInstance(gone.url)).toEqual(nowhere);
});

test('probeInstance writes an audit line also when nothing answers, as it is missed', async () => {
  const gone = await listen(createServer());
  await gone.close();
  await probeInstance(gone.url);
  const written = vi.mocked(process.stdout.write).mock.calls.map(([text]) => JSON.parse(`${text}`));
  const { time: _, ...line } = written.find(({ level }) => level === 'audit');
  expect(line).toEqual({ level: 'audit', action: 'monitoring.probe' });
});

test('probeInstance logs a late answer as TimeoutError', async () => {
  const over = AbortSignal.abort(new DOMException('', 'TimeoutError'));
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(over);
  onTestFinished(() => timeout.mockRestore());
  answering(200, 401);
  const late = { probe: 'failed', jwks: 'TimeoutError', login: 'TimeoutError' };
  expect(await probeInstance(url)).toEqual(late);
});
