import { beforeEach, describe, expect, test, vi } from 'vitest';
import { changeAccess } from '#lib/account/access';
import { contract as accessContract } from '#lib/account/access.contract';
import { contract as createContract } from '#lib/account/create.contract';
import { createInvited } from '#lib/account/invite';
import type { FieldError } from '#lib/failure/codes';
import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';
import { type SettingName, settingVariable } from '#lib/instance/settings';
import type { Account } from '#lib/item/account';
import type { CredentialLimits } from '#lib/item/token';
import { AMR, type Session } from '#lib/session/session-token';
import { createLoginToken, createToken } from '#lib/token/create';
import { contract as tokenContract } from '#lib/token/create.contract';
import { contract as loginTokenContract } from '#lib/token/create-login-token.contract';
import { createRequested } from '#lib/token/create-once';
import { listTokens } from '#lib/token/list';
import { rotateRequested } from '#lib/token/rotate';
import { contract as rotateContract } from '#lib/token/rotate.contract';
import { termsOf } from '#lib/token/terms';
import { call, createSigningKey, openEndpoints } from '../support/endpoints.ts';
import { by, hashName } from '../support/engine.ts';
import { ONE_PASSKEY } from '../support/items.ts';
import { auditLines } from '../support/log-lines.ts';
import { setAttributes } from '../support/set-attributes.ts';
import { logInByToken } from '../support/signing-keys.ts';

const audited = auditLines();
const { table, wire, operations, runtime, account, session, stored } = await openEndpoints();
const key = await createSigningKey(table);
const own = { ...runtime, now: Date.now };

/** The functions that the attacks use, of an instance with these settings. */
function functionsUnder(settings: Partial<Record<SettingName, string>>) {
  for (const [name, value] of Object.entries(settings))
    vi.stubEnv(settingVariable(name as SettingName), value);
  const given = { publish: () => async () => [], stepUp };
  return {
    create: endpoint(
      tokenContract,
      ({ accounts: [owner], ...request }, its) => createRequested(its, owner, request),
      given,
    ),
    loginToken: endpoint(
      loginTokenContract,
      ({ caller, actor, body, ...request }, its) =>
        createLoginToken(its, caller, actor, termsOf(its, caller, body, request.limits), request),
      given,
    ),
    rotate: endpoint(
      rotateContract,
      ({ accounts: [owner], ...request }, its) => rotateRequested(its, owner, request),
      given,
    ),
    access: endpoint(
      accessContract,
      ({ caller, accounts: [target], body, actor }, its) => changeAccess(its, caller, target, body, actor),
      given,
    ),
    invite: endpoint(createContract, (request, its) => createInvited(its, request), {
      ...given,
      hashName: () => hashName,
    }),
  };
}
type Functions = ReturnType<typeof functionsUnder>;

const off = functionsUnder({ SecondFactor: 'off' });
const offered = functionsUnder({ SecondFactor: 'offered' });
const required = functionsUnder({ SecondFactor: 'administrators' });
const withoutTokens = functionsUnder({ AdministratorTokens: 'false' });

const LEVEL_1 = { amr: AMR.password };
const asserted = (seconds: number, pid = 'key-1'): Partial<Session> => ({
  amr: AMR.passkey,
  auth_time: Math.floor(Date.now() / 1000) - seconds,
  pid,
});
const bearer = async (of: Account, claims: Partial<Session>) =>
  `Bearer ${await session(of, key, Date.now(), claims)}`;
const tokenOf = async (of: Account, name: string, limits: CredentialLimits = {}) =>
  `Token ${(await createToken(own, of, name, by('test'), limits)).value}`;

/** Sends a request; the answer is `ok`, or the code with the fields that it names. */
async function send(
  handler: Functions[keyof Functions],
  authorization: string,
  path: Readonly<Record<string, string>>,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
) {
  const reply = await call(handler, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    pathParameters: path,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { data } = reply.payload as { data: { errors?: FieldError[] } };
  const fields = (data.errors ?? []).map(({ field }) => field);
  return { ...reply, answer: reply.status === 200 ? 'ok' : [reply.code, ...fields].join(' ') };
}

let root: Account;
let ada: Account;
beforeEach(async () => {
  root = await account({ roles: ['sys_administrator', 'sys_tokens'], ...ONE_PASSKEY });
  ada = await account();
});
const namesOf = async (of: Account) =>
  (await listTokens(own, await stored(of))).items.map(({ name }) => name);

test('a setting acts on open sessions at once, and ends none of them', async () => {
  const [password, passkey] = [await bearer(root, LEVEL_1), await bearer(root, asserted(0))];
  const answers = async (functions: Functions, name: string) => {
    const path = { username: ada.username, token_name: name };
    return [
      (await send(functions.create, password, { ...path, token_name: `${name}-1` })).answer,
      (await send(functions.create, passkey, { ...path, token_name: `${name}-2` })).answer,
    ];
  };
  expect(await answers(off, 'a')).toEqual(['ok', 'ok']);
  expect(await answers(required, 'b')).toEqual(['step_up_required amr', 'ok']);
  expect(await answers(off, 'c')).toEqual(['ok', 'ok']);
  expect(await namesOf(ada)).toEqual(['a-1', 'a-2', 'b-2', 'c-1', 'c-2']);
});

test('the refusal has the challenge of RFC 9470 and an entry in the audit log', async () => {
  const path = { username: ada.username, token_name: 'ci' };
  const { status, headers, answer } = await send(required.create, await bearer(root, asserted(400)), path);
  expect([status, answer]).toEqual([403, 'step_up_required auth_time']);
  expect(headers['www-authenticate']).toBe(
    'Bearer realm="core-account", error="insufficient_user_authentication", max_age=300',
  );
  expect(audited).toMatchObject([
    { actor: root.username, outcome: 'step_up_required', target: expect.stringContaining(ada.username) },
  ]);
});

test('a refusal reads what the authentication reads, and writes nothing', async () => {
  const path = { username: ada.username, token_name: 'ci' };
  const stolen = await bearer(root, LEVEL_1);
  await send(required.create, stolen, path);
  await wire.settled();
  wire.reset();
  expect((await send(required.create, stolen, path)).answer).toBe('step_up_required amr');
  expect(operations()).toEqual(['BatchGetItem']);
});

test('a refused token has no challenge, which it cannot answer', async () => {
  const path = { username: ada.username, token_name: 'ci' };
  const { headers, answer } = await send(withoutTokens.create, await tokenOf(root, 'own'), path);
  expect(answer).toBe('forbidden credential');
  expect(headers).not.toHaveProperty('www-authenticate');
});

test('a check whose contract lists nothing is for all requests', async () => {
  const { stepUp: _, ...unlisted } = accessContract;
  const change = endpoint(unlisted as typeof accessContract, () => ({}) as never, {
    stepUp,
    publish: () => async () => [],
  });
  const body = { remove: { roles: ['a'] } };
  const sent = await send(change, await bearer(root, LEVEL_1), { username: ada.username }, body);
  expect(sent.answer).toBe('step_up_required amr');
});

test('a caller without a passkey learns that it needs one, even with the assertion of one that it had', async () => {
  const poor = await setAttributes(table, root, { passkeys: undefined });
  const path = { username: ada.username, token_name: 'ci' };
  expect((await send(required.create, await bearer(poor, LEVEL_1), path)).answer).toBe(
    'step_up_required passkey',
  );
  const gone = await bearer(poor, asserted(0));
  expect((await send(required.create, gone, path)).answer).toBe('unauthenticated');
});

test('a session of a passkey that was removed is refused, while the account has another', async () => {
  const path = { username: ada.username, token_name: 'ci' };
  const [live, removed] = [await bearer(root, asserted(0)), await bearer(root, asserted(0, 'key-2'))];
  expect((await send(required.create, removed, path)).answer).toBe('unauthenticated');
  expect((await send(required.create, live, path)).answer).toBe('ok');
});

test('a session that a token has begun is of level 1, whatever its token may do itself', async () => {
  const path = { username: ada.username, token_name: 'ci' };
  const token = await tokenOf(root, 'own');
  const { JWTtoken } = await logInByToken(own, key, token.replace('Token ', ''));
  const begun = `Bearer ${JWTtoken}`;
  expect((await send(offered.create, begun, path)).answer).toBe('step_up_required amr');
  expect((await send(offered.create, token, path)).answer).toBe('ok');
});

describe('the repeat of a request with an Idempotency-Key', () => {
  test.each<[string, keyof Functions, object | undefined]>([
    ['token', 'create', undefined],
    ['invitation', 'invite', { invite_hours: 1 }],
  ])(
    'answers the secret of a new %s only to a session that a passkey confirms',
    async (_what, name, body) => {
      const path = { username: ada.username, token_name: 'ci' };
      const sent = body && { username: `new.${ada.username}`, ...body };
      const headers = { 'idempotency-key': `key-${ada.username}` };
      const ask = async (claims: Partial<Session>) =>
        send(required[name], await bearer(root, claims), path, sent, headers);
      const first = await ask(asserted(0));
      expect(first.answer).toBe('ok');
      for (const claims of [LEVEL_1, asserted(301)]) {
        const repeat = await ask(claims);
        expect(repeat.answer).toMatch(/^step_up_required/);
        expect(JSON.stringify(repeat.payload)).not.toMatch(/cst_|"code":"[A-Z\d]{4}-/);
      }
      const { data } = first.payload as { data: { value?: string; code?: string } };
      const again = (await ask(asserted(10))).payload as typeof first.payload & { data: typeof data };
      expect([again.data.value, again.data.code]).toEqual([data.value, data.code]);
    },
  );
});

describe('an administrator', () => {
  test('needs a passkey for its own tokens, which pass where its session does not', async () => {
    const mine = { username: root.username };
    await createToken(own, root, 'ci', by('test'));
    const password = await bearer(root, LEVEL_1);
    expect((await send(required.loginToken, password, {})).answer).toBe('step_up_required amr');
    expect((await send(required.rotate, password, { ...mine, token_name: 'ci' })).answer).toBe(
      'step_up_required amr',
    );
    expect(await namesOf(root)).toEqual(['ci']);
    const passkey = await bearer(root, asserted(0));
    expect((await send(required.loginToken, passkey, {})).answer).toBe('ok');
  });

  test('stays one by a credential without the role', async () => {
    const mine = { username: root.username, token_name: 'ci' };
    await createToken(own, root, 'ci', by('test'), { roles: [] });
    const limits = { roles: [] };
    const limited = await bearer(root, { ...LEVEL_1, limits });
    expect((await send(required.rotate, limited, mine)).answer).toBe('step_up_required amr');
    const token = await tokenOf(root, 'limited', limits);
    expect((await send(withoutTokens.rotate, token, mine)).answer).toBe('forbidden credential');
    expect((await send(required.rotate, token, mine)).answer).toBe('ok');
  });

  test('loses the refusal with the role, and gains it with the role', async () => {
    const person = await account({ roles: ['sys_tokens'] });
    const password = await bearer(person, LEVEL_1);
    expect((await send(required.loginToken, password, {})).answer).toBe('ok');
    await setAttributes(table, person, { roles: ['sys_tokens', 'sys_administrator'] });
    expect((await send(required.loginToken, password, {})).answer).toBe('step_up_required passkey');
  });

  test('adds no role without a passkey, and removes others than its own and adds applications', async () => {
    const password = await bearer(root, LEVEL_1);
    const change = async (body: object) =>
      (await send(required.access, password, { username: ada.username }, body)).answer;
    expect(await change({ add: { roles: ['sys_administrator'] } })).toBe('step_up_required amr');
    expect(await change({ add: { apps: ['crm'], roles: ['a'] }, remove: { roles: ['b'] } })).toBe(
      'step_up_required amr',
    );
    expect(await change({ remove: { roles: ['b', 'sys_administrator'] } })).toBe('step_up_required amr');
    expect((await stored(ada)).roles).toEqual([]);
    expect(await change({ add: { apps: ['crm'], roles: [] }, remove: { roles: ['b'] } })).toBe('ok');
  });
});
