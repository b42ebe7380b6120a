import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { lockAccount } from '#lib/account/lifecycle/lock';
import { CAUSES } from '#lib/failure/cause';
import { endpoint } from '#lib/handler/endpoint';
import { inspect } from '#lib/oauth/inspect';
import { contract as introspect } from '#lib/oauth/introspect.contract';
import { performance } from '#lib/precise-time';
import { generateApiToken } from '#lib/token/secret';
import { GRANT_CAUSES } from '../oauth/bench.ts';
import { invocation, openEndpoints } from '../support/endpoints.ts';
import { by, NOON } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { publishKey } from '../support/signing-keys.ts';
import { openFunctions } from './functions.ts';
import { arrangementsOn, ask } from './refusals.ts';

vi.stubEnv('Settings__AllowQueryToken', 'false').stubEnv('Settings__BcryptCost', '10');
const bench = await openEndpoints();
const { table, runtime, caller, session } = bench;
const key = await publishKey(table);

const logged: string[] = [];
beforeEach(() => {
  logged.length = 0;
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
  vi.spyOn(performance, 'now').mockReturnValue(0);
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => logged.push(String(text)) > 0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const arrangements = arrangementsOn(bench, key);
const ROWS = Object.entries(arrangements).flatMap(([cause, all]) =>
  Object.entries(all).map(([title, arrange]) => [cause, title, arrange] as const),
);

const PLAIN = 'Bearer realm="core-account"';
const METADATA = ', resource_metadata="http://localhost/.well-known/oauth-protected-resource"';
const BASIC = 'Basic realm="core-account"';
/** The answers that differ: by the function, the code, and a challenge that shows whether a credential was sent. */
const GROUPS = [
  `create, unauthenticated, ${PLAIN}${METADATA}, ${BASIC}`,
  `create, unauthenticated, ${PLAIN}, error="invalid_token"${METADATA}, ${BASIC}`,
  `login, invalid_credentials, ${PLAIN}${METADATA}, ${BASIC}`,
  `password, invalid_credentials, ${PLAIN}${METADATA}, ${BASIC}`,
  `password, unauthenticated, ${PLAIN}${METADATA}, ${BASIC}`,
  `passkey, invalid_credentials, ${PLAIN}${METADATA}, ${BASIC}`,
  ...['login', 'password', 'passkey'].map((name) => `${name}, too_many_requests, undefined`),
];
/** Causes that the form of a request alone shows: the text may say where a credential belongs. */
const ADVISED = ['no_credential', 'unknown_scheme', 'malformed_credential'];
/** The first answer of each group: all others are the same, whichever comes first. */
const answers = new Map<string, string>();
const FIELDS = 'level time function requestId route status outcome cause start userid ms'.split(' ');

test.each(ROWS)(
  'the log has the cause %s of %s, and the answer is that of all causes',
  async (cause, _title, arrange) => {
    const functions = openFunctions(bench, key);
    const refused = await arrange(functions);
    logged.length = 0;
    vi.setSystemTime(NOON);
    const answer = await ask(functions, refused);
    const lines = logged.map((line) => JSON.parse(line) as Record<string, unknown>);
    const [line, ...others] = lines.filter(({ level }) => level === 'info');
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      status: cause === 'address_blocked' ? 429 : 401,
      outcome: 'refused',
      cause,
    });
    // No name, and no credential.
    expect(Object.keys(line ?? {}).filter((field) => field !== 'userid' && !FIELDS.includes(field))).toEqual(
      [],
    );
    const audited = lines.filter(({ level }) => level === 'audit');
    const { data } = JSON.parse(answer.body) as { data: { code: string } };
    const details = data.code === 'unauthenticated' ? null : { cause };
    expect(audited).toMatchObject([{ outcome: data.code, details }]);
    expect(answer.body).not.toContain(cause);
    const group = `${refused[0]}, ${data.code}, ${answer.headers['www-authenticate']}`;
    expect(GROUPS).toContain(group);
    if (ADVISED.includes(cause)) return;
    const bytes = JSON.stringify(answer);
    expect(answers.get(group) ?? bytes).toBe(bytes);
    answers.set(group, bytes);
  },
);

test('every cause has an arrangement, except those of tokens of issuers, which their own test refuses', () => {
  const others = CAUSES.filter((cause) => Object.keys(arrangements[cause]).length === 0);
  expect(others).toEqual(GRANT_CAUSES);
});

test('the log has the cause of an inactive credential, and the answer has none', async () => {
  const service = await caller({ roles: ['sys_introspection'] });
  const handler = endpoint(introspect, ({ authenticate, body }) => inspect(authenticate, body.token));
  const headers = { ...service.headers, 'content-type': 'application/x-www-form-urlencoded' };
  const { token, account: owner } = await caller();
  await lockAccount(runtime, owner, by('admin'));
  const causes: unknown[] = [];
  for (const presented of [token, 'x', generateApiToken(randomBytes), await session(owner, key, NOON)]) {
    logged.length = 0;
    const event = gatewayEvent({ method: 'POST', headers, body: `token=${presented}` });
    expect((await handler(event, invocation())).body).toBe('{"active":false}');
    causes.push(...logged.map((line) => (JSON.parse(line) as { cause?: unknown }).cause));
  }
  expect(causes.filter(Boolean)).toEqual([
    'account_locked',
    'malformed_credential',
    'unknown_token',
    'account_locked',
  ]);
});
