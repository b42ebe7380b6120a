import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json as jsonOf } from 'node:stream/consumers';
import { beforeAll, expect, test } from 'vitest';
import { contract as login } from '#lib/login/login.contract';
import { contract as password } from '#lib/login/password.contract';
import { contract as assertion } from '#lib/passkey/passkey-assert.contract';
import { newFolder } from '../unit/support/folder.ts';
import { commandsIn } from './articles.ts';
import { type InstanceProcess, startInstance } from './instance-process.ts';
import { run } from './operator.ts';
import { newPasswordText, noted, uniqueName } from './service.ts';
import { thiefOn } from './thief.ts';

/** Linux has all of 127.0.0.0/8 on its loopback. */
const ATTACKER = '127.0.0.2';
const ELSEWHERE = '127.0.0.1';

let instance: InstanceProcess;
let base: string;
beforeAll(async () => {
  instance = await startInstance({ data: newFolder() });
  base = instance.ready.url;
});

/** Runs an operator command; resolves to what it prints. */
async function admin(text: string, input = ''): Promise<string> {
  const { code, stdout, stderr } = await run(text.split(' '), input, ['--data', instance.data]);
  expect(code, `${text}: ${stderr}`).toBe(0);
  return stdout;
}

/** Sends a request from an address. */
async function send(from: string, method: string, path: string, body?: object, authorization?: string) {
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(authorization && { authorization: noted(authorization) }),
  };
  const sent = request(new URL(path, base), { method, headers, localAddress: from });
  sent.end(body && JSON.stringify(body));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const { data } = (await jsonOf(answer)) as { data: Record<string, string> };
  if (data['JWTtoken']) noted(data['JWTtoken']);
  return { status: answer.statusCode, headers: answer.headers, data };
}

test('the article "An address attacks" stops logins, codes and passkeys of one address, and lets them in again', async () => {
  const [username, right, token] = [uniqueName('ada'), newPasswordText(), uniqueName('ci')];
  await admin(`account create ${username} --password-stdin`, right);
  const secret = noted((await admin(`token create ${token} ${username}`)).trim());
  const owner = thiefOn(base);
  const session = await owner.logIn(username, right);
  await owner.enrol(session);
  const code = noted((await admin(`account code ${username}`)).trim());

  const logIn = (from: string, text = right) => send(from, 'POST', login.path, { username, password: text });
  const setPassword = (from: string) =>
    send(from, 'POST', password.path, { username, code, new_password: newPasswordText() });
  const assert = async (from: string) => {
    const asked = await send(from, 'POST', '/api/core/account/passkey/options', { purpose: 'assert' });
    const { options } = asked.data as unknown as { options: Parameters<typeof device.get>[0] };
    const credential = device.get(options, { origin: base.replace('127.0.0.1', 'localhost') });
    return send(from, 'POST', assertion.path, { credential });
  };
  const [device] = owner.devices as [(typeof owner.devices)[number]];
  const attempts = [logIn, assert, setPassword];

  for (let n = 0; n < 3; n++) expect((await logIn(ATTACKER, 'wrong')).status).toBe(401);
  const article = commandsIn('infra/admin/incidents.md', 'An address attacks');
  const [find, block, list, unblock] = article.map((line) =>
    line.replace(/^admin /, '').replace('<address>', ATTACKER),
  ) as [string, string, string, string];
  expect(article).toHaveLength(4);
  await expect.poll(() => admin(find)).toMatch(`${username}  invalid_credentials  ${ATTACKER}`);
  await admin(block);

  for (const attempt of attempts) {
    const { status, headers, data } = await attempt(ATTACKER);
    expect([status, data['code'], headers['ratelimit']]).toEqual([429, 'too_many_requests', undefined]);
    expect(Number(headers['retry-after'])).toBeGreaterThan(86_000);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(86_400);
  }
  for (const attempt of [logIn, assert]) expect((await attempt(ELSEWHERE)).status).toBe(200);
  expect(await admin(list)).toMatch(new RegExp(`^${ATTACKER}  `));
  // What the article names as going on.
  const profile = '/api/core/account/profile';
  expect((await send(ATTACKER, 'GET', profile, undefined, `Bearer ${session}`)).status).toBe(200);
  expect((await send(ATTACKER, 'GET', profile, undefined, `Token ${secret}`)).status).toBe(200);
  const byToken = { username: 'api', password: secret };
  expect((await send(ATTACKER, 'POST', login.path, byToken)).status).toBe(200);
  await expect
    .poll(() => admin('audit --outcome too_many_requests --since 1h'))
    .toMatch(`${username}  too_many_requests  ${ATTACKER}`);
  expect(await admin('audit --outcome too_many_requests --since 1h')).toContain('cause=address_blocked');

  await admin(unblock);
  for (const attempt of attempts) expect((await attempt(ATTACKER)).status).toBe(200);
  await admin(block);
  expect((await logIn(ATTACKER)).status).toBe(429);
});
