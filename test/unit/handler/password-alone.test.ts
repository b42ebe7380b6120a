import { beforeEach, expect, test, vi } from 'vitest';
import type { FieldError } from '#lib/failure/codes';
import { type SettingName, settingVariable } from '#lib/instance/settings';
import type { Account } from '#lib/item/account';
import { AMR, type Session } from '#lib/session/session-token';
import { createToken } from '#lib/token/create';
import { call, createSigningKey, openEndpoints } from '../support/endpoints.ts';
import { by } from '../support/engine.ts';
import { openTestBus } from '../support/event-bus.ts';
import { logLines } from '../support/log-lines.ts';
import { logInByToken } from '../support/signing-keys.ts';

// A thief with the password of an account that has a passkey. Each sequence goes on with whatever a step has won.

logLines();
const { table, runtime, account, session, stored } = await openEndpoints();
await openTestBus();
vi.stubEnv('EVENT_BUS_NAME', 'bus').stubEnv(settingVariable('ApiUrl'), 'https://id.example.com');
const key = await createSigningKey(table);
const own = { ...runtime, now: Date.now };

const FUNCTIONS = {
  'token/own': 'token/create-own',
  'token/create/logintoken': 'token/create-login-token',
  'token/rotate': 'token/rotate',
  'token/create': 'token/create',
  'account/access': 'account/access',
  'passkey/delete': 'account/passkey-delete',
  'passkey/options': 'account/passkey-options',
  'passkey/create': 'account/passkey-create',
} as const;
type Name = keyof typeof FUNCTIONS;
type Handler = Parameters<typeof call>[0];

/** The functions of an instance with these settings, as they are deployed. */
async function functionsUnder(settings: Partial<Record<SettingName, string>>) {
  for (const [name, value] of Object.entries({
    SecondFactor: 'off',
    AdministratorTokens: 'true',
    ...settings,
  }))
    vi.stubEnv(settingVariable(name as SettingName), value);
  vi.resetModules();
  const loaded = Object.entries(FUNCTIONS).map(
    async ([name, file]): Promise<[string, Handler]> => [
      name,
      (await import(/* @vite-ignore */ `../../../functions/${file}.ts`)).handler,
    ],
  );
  return Object.fromEntries(await Promise.all(loaded)) as Record<Name, Handler>;
}
const off = await functionsUnder({});
const offered = await functionsUnder({ SecondFactor: 'offered' });
const required = await functionsUnder({ SecondFactor: 'administrators' });
const withoutTokens = await functionsUnder({ SecondFactor: 'administrators', AdministratorTokens: 'false' });
const EVERY = { off, offered, administrators: required, 'AdministratorTokens=false': withoutTokens };

/** Sends a request; the answer is `ok`, or the code with the fields that it names, and the secret of a new token. */
async function send(
  handler: Handler,
  authorization: string,
  pathParameters: Readonly<Record<string, string>> = {},
  body?: object,
) {
  const { status, code, payload } = await call(handler, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    pathParameters,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const { data } = payload as { data: { errors?: FieldError[]; value?: string } };
  const fields = (data.errors ?? []).map(({ field }) => field);
  return { answer: status === 200 ? 'ok' : [code, ...fields].join(' '), secret: data.value };
}

const bearer = async (of: Account, claims: Partial<Session> = { amr: AMR.password }) =>
  `Bearer ${await session(of, key, Date.now(), claims)}`;
const level2 = (of: Account) =>
  bearer(of, { amr: AMR.passkey, auth_time: Math.floor(Date.now() / 1000), pid: 'key-1' });
const secretOf = async (of: Account, name: string) =>
  (await createToken(own, of, name, by('test'))).value as string;
const begunBy = async (secret: string) => `Bearer ${(await logInByToken(own, key, secret)).JWTtoken}`;

const PASSKEYS = { laptop: 'key-1' };
const ENROLLED = {
  passkeys: PASSKEYS,
  enrolments: { 'key-1': { id: 'key-1', rp_id: 'id.example.com', created_at: '2026-11-20T12:00:00.000Z' } },
};
let root: Account;
let ada: Account;
beforeEach(async () => {
  root = await account({ roles: ['sys_administrator', 'sys_tokens'], ...ENROLLED });
  ada = await account({ roles: ['sys_tokens'], ...ENROLLED });
});

/** Takes the passkey of an account with its password only, and enrols another. */
async function takeOver(functions: Record<Name, Handler>, victim: Account) {
  const { username } = victim;
  await createToken(own, victim, 'ci', by('test'));
  const password = await bearer(victim);
  const made = [
    await send(functions['token/own'], password, { token_name: 'mine' }),
    await send(functions['token/create/logintoken'], password),
    await send(functions['token/rotate'], password, { token_name: 'ci', username }),
    ...(victim.roles.includes('sys_administrator')
      ? [await send(functions['token/create'], password, { token_name: 'other', username })]
      : []),
  ];
  const secrets = made.flatMap(({ secret }) => secret ?? []);
  const removed: string[] = [];
  for (const secret of secrets)
    removed.push(
      (await send(functions['passkey/delete'], `Token ${secret}`, { passkey_name: 'laptop' })).answer,
    );
  const enrolment = await send(functions['passkey/options'], password, {}, { purpose: 'create' });
  return { made: made.map(({ answer }) => answer), removed, enrolment: enrolment.answer };
}

const REFUSED = 'step_up_required amr';

test.each(['offered', 'administrators', 'AdministratorTokens=false'] as const)(
  'a password alone makes no token, removes no passkey and enrols none under %s',
  async (name) => {
    const attack = await takeOver(EVERY[name], ada);
    expect((await stored(ada)).passkeys).toEqual(PASSKEYS);
    expect(attack).toEqual({
      made: [REFUSED, REFUSED, REFUSED],
      removed: [],
      enrolment: 'step_up_required session',
    });
  },
);

test.each(['administrators', 'AdministratorTokens=false'] as const)(
  'a password alone neither demotes an administrator nor takes its passkey under %s',
  async (name) => {
    const functions = EVERY[name];
    const demotion = { remove: { roles: ['sys_administrator'] } };
    const { username } = root;
    const { answer } = await send(functions['account/access'], await bearer(root), { username }, demotion);
    const attack = await takeOver(functions, await stored(root));
    const { roles, passkeys } = await stored(root);
    expect([roles, passkeys]).toEqual([root.roles, PASSKEYS]);
    expect([answer, ...new Set(attack.made)]).toEqual([REFUSED, REFUSED]);
  },
);

const rolesAfter = async (functions: Record<Name, Handler>, authorization: string) => {
  const colleague = await account({ roles: ['sys_administrator'] });
  const answers: string[] = [];
  for (const target of [colleague, root]) {
    const remove = { roles: ['auditor', 'sys_administrator'] };
    const path = { username: target.username.toUpperCase() };
    answers.push((await send(functions['account/access'], authorization, path, { remove })).answer);
  }
  const kept = [await stored(colleague), await stored(root)].map(({ roles }) =>
    roles.includes('sys_administrator'),
  );
  return { answers, kept };
};

test('without AdministratorTokens, neither a token of an administrator nor its session demotes anyone', async () => {
  const secret = await secretOf(root, 'stolen');
  expect(await rolesAfter(withoutTokens, `Token ${secret}`)).toEqual({
    answers: ['forbidden credential', 'forbidden credential'],
    kept: [true, true],
  });
  expect(await rolesAfter(withoutTokens, await begunBy(secret))).toEqual({
    answers: [REFUSED, REFUSED],
    kept: [true, true],
  });
});

test('an administrator demotes colleagues and itself after an assertion, or by a token that counts', async () => {
  expect((await rolesAfter(withoutTokens, await level2(root))).answers).toEqual(['ok', 'ok']);
  const other = await account({ roles: ['sys_administrator'], ...ENROLLED });
  const { username } = other;
  const demotion = { remove: { roles: ['sys_administrator'] } };
  const token = `Token ${await secretOf(other, 'ci')}`;
  expect((await send(required['account/access'], token, { username }, demotion)).answer).toBe('ok');
});

test.each(Object.keys(EVERY) as (keyof typeof EVERY)[])(
  'an API token removes no passkey of its owner and enrols none, nor does a session that it began, under %s',
  async (name) => {
    const functions = EVERY[name];
    for (const owner of [ada, root]) {
      const secret = await secretOf(owner, 'stolen');
      for (const authorization of [`Token ${secret}`, await begunBy(secret)]) {
        const answers = [
          await send(functions['passkey/delete'], authorization, { passkey_name: 'laptop' }),
          await send(functions['passkey/delete'], authorization, {
            passkey_name: 'laptop',
            username: owner.username.toUpperCase(),
          }),
          await send(functions['passkey/options'], authorization, {}, { purpose: 'create' }),
          await send(functions['passkey/create'], authorization, { passkey_name: 'x' }, {}),
        ];
        expect(answers.map(({ answer }) => answer)).toEqual(Array(4).fill('forbidden credential'));
      }
      expect((await stored(owner)).passkeys).toEqual(PASSKEYS);
    }
  },
);

test('a token makes and rotates tokens of its owner, where its session needs an assertion', async () => {
  const secret = await secretOf(ada, 'ci');
  const path = { token_name: 'ci', username: ada.username };
  const begun = await begunBy(secret);
  for (const functions of [offered, withoutTokens]) {
    expect((await send(functions['token/create/logintoken'], begun)).answer).toBe(REFUSED);
    expect((await send(functions['token/create/logintoken'], `Token ${secret}`)).answer).toBe('ok');
  }
  expect((await send(offered['token/rotate'], begun, path)).answer).toBe(REFUSED);
  expect((await send(offered['token/rotate'], `Token ${secret}`, path)).answer).toBe('ok');
  expect((await send(offered['token/own'], await level2(ada), { token_name: 'mine' })).answer).toBe('ok');
});

test('an account without a passkey makes tokens as before', async () => {
  const bob = await account({ roles: ['sys_tokens'] });
  for (const functions of [offered, withoutTokens])
    expect((await send(functions['token/create/logintoken'], await bearer(bob))).answer).toBe('ok');
  expect((await send(off['token/own'], await bearer(ada), { token_name: 'mine' })).answer).toBe('ok');
});

test('the session of a password removes a passkey of its owner where nothing demands an assertion', async () => {
  const { answer } = await send(off['passkey/delete'], await bearer(ada), { passkey_name: 'laptop' });
  expect([answer, (await stored(ada)).passkeys]).toEqual(['ok', undefined]);
});
