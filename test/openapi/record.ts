import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FAILURES, type FailureCode } from '#lib/failure';
import { routes } from '#lib/routes';
import { bundle } from '../../infra/bundle.ts';
import { openRouter } from '../../infra/local/gateway/router.ts';
import { operationIdOf } from '../../infra/openapi/operation.ts';
import { startInstance } from '../integration/instance-process.ts';
import { ANSWERS, type Asked, FAILING, LAST, PASSWORD } from './requests.ts';

/** Records the examples of the OpenAPI document: what an instance with the demo data answers. */
await bundle();
const data = await mkdtemp(join(tmpdir(), 'core-account-examples-'));
const env = { ADMIN_PASSWORD: PASSWORD, Settings__BcryptCost: '10' };
const { ready, stop } = await startInstance({ data, args: ['--memory'], env });

const routeOf = openRouter(routes);
const answers: Record<string, Record<string, unknown>> = {};
const requests: Record<string, unknown> = {};
const failures: Record<string, unknown> = {};
/** The secrets of tokens, by the names under which requests present them. */
const tokens: Record<string, string> = { admin: ready.admin.token as string };

/** Sends a request, and replaces what is secret in its answer. */
async function ask({ method, path, as, json, body, headers = {} }: Asked, base = ready.url) {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...(as ? { authorization: `Token ${tokens[as]}` } : {}),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: (json === undefined ? body : JSON.stringify(json)) ?? null,
  });
  const type = (response.headers.get('content-type') ?? '').replace(/;.*/, '');
  const text = await response.text();
  return {
    status: response.status,
    type,
    secret: /cst_[0-9A-Za-z]{36}/.exec(text)?.[0],
    value: type.endsWith('json') ? JSON.parse(redacted(text)) : redacted(text),
  };
}

const redacted = (text: string) =>
  text
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<session token>')
    .replaceAll(/cst_[0-9A-Za-z]{36}/g, '<API token>')
    .replaceAll(ready.url, 'https://core.example.com');

/** @throws Error unless it succeeds */
async function record(asked: Asked) {
  const route = routeOf(asked.method, asked.path);
  if (!route || route === 'malformed') throw new Error(`${asked.path} is no route`);
  const { status, type, value, secret } = await ask(asked);
  if (status !== 200) throw new Error(`${asked.path} answered ${status}: ${JSON.stringify(value)}`);
  if (asked.keep && secret) tokens[asked.keep] = secret;
  const id = operationIdOf(route.route);
  answers[id] = { ...answers[id], [type]: value };
  if (asked.json !== undefined) requests[id] = asked.json;
}

/** @throws Error unless it is refused with this code */
async function recordFailure(code: FailureCode, asked: Asked, base?: string) {
  for (const before of asked.before ?? []) await ask(before, base);
  const { status, value } = await ask(asked, base);
  const { data } = value as { data?: { code?: string } };
  if (status !== FAILURES[code].status || data?.code !== code)
    throw new Error(`${asked.path} answered ${status} ${data?.code}, and not ${code}`);
  failures[code] = value;
}

try {
  for (const asked of ANSWERS) await record(asked);
  for (const [code, asked] of FAILING) await recordFailure(code, asked);
  await record(LAST);
  const silent = await startInstance({
    data: join(data, 'silent'),
    args: ['--memory', '--no-demo'],
    env: { Settings__Docs: 'false' },
  });
  await recordFailure(
    'docs_not_found',
    { method: 'GET', path: '/api/core/openapi.json' },
    silent.ready.url,
  ).finally(silent.stop);
} finally {
  await stop();
  await rm(data, { recursive: true });
}

const file = join(import.meta.dirname, '../../infra/openapi/examples.json');
await writeFile(file, `${JSON.stringify({ answers, requests, failures }, null, 2)}\n`);
