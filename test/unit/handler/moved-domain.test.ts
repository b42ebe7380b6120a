import { describe, expect, test, vi } from 'vitest';
import { settingVariable } from '#lib/instance/settings';
import type { Account } from '#lib/item/account';
import { createPasskey } from '#lib/passkey/create';
import { passkeyOptions } from '#lib/passkey/options';
import { AMR, type VerifiedSession } from '#lib/session/session-token';
import { accountKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { newAuthenticator } from '../../authenticator.ts';
import { call, createSigningKey, openEndpoints } from '../support/endpoints.ts';
import { by } from '../support/engine.ts';
import { openTestBus } from '../support/event-bus.ts';
import { logLines } from '../support/log-lines.ts';
import { setAttributes } from '../support/set-attributes.ts';

logLines();
const { table, wire, runtime, account, session } = await openEndpoints();
await openTestBus();
vi.stubEnv('EVENT_BUS_NAME', 'bus');
const key = await createSigningKey(table);

const OLD = 'old.example';
const NEW = 'new.example';
const FUNCTIONS = ['passkey-create', 'passkey-options', 'passkey-delete', 'passkeys', 'code'] as const;
type Name = (typeof FUNCTIONS)[number];
type Handlers = Readonly<Record<Name, Parameters<typeof call>[0]>>;

/** The functions of an instance at a domain. */
async function functionsAt(domain: string, SecondFactor: string): Promise<Handlers> {
  const settings = { SecondFactor, ApiUrl: `https://${domain}`, PasskeyDomain: '' };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(settingVariable(name as never), value);
  vi.resetModules();
  const loaded = FUNCTIONS.map(async (name) => [
    name,
    (await import(/* @vite-ignore */ `../../../functions/account/${name}.ts`)).handler,
  ]);
  return Object.fromEntries(await Promise.all(loaded));
}

const SETTINGS = ['off', 'offered', 'administrators'] as const;
const instances = new Map<string, Handlers>();
for (const setting of SETTINGS) instances.set(setting, await functionsAt(NEW, setting));

/** The time of the functions. */
const now = Date.now();
const at = (domain: string) => ({
  ...runtime,
  now: () => now,
  settings: { ...runtime.settings, ApiUrl: `https://${domain}` },
});
const fresh = { amr: AMR.password, iat: Math.floor(now / 1000) } as unknown as VerifiedSession;

/** Gives an account a passkey of a domain. */
async function enrol(of: Account, domain: string, name: string, its = fresh) {
  const { options } = await passkeyOptions(at(domain), of, its, { purpose: 'create' });
  const device = newAuthenticator();
  const credential = device.create(options, { origin: `https://${domain}` });
  await createPasskey({ ...at(domain), publish: async () => [] }, of, its, name, credential, by(of.username));
  return (await get(table, accountKey(of.username))) as Account;
}

/** An account whose only passkey is one of the former domain, as this version or an earlier one has stored it. */
async function moved(isEarlier: boolean, roles: string[] = []) {
  const created = await enrol(await account({ roles }), OLD, 'phone');
  return isEarlier ? setAttributes(table, created, { enrolments: undefined } as never) : created;
}

const headersOf = async (of: Account, amr: readonly string[] = AMR.password) => ({
  authorization: `Bearer ${await session(of, key, now, { amr })}`,
  'content-type': 'application/json',
});

async function send(
  setting: string,
  name: Name,
  of: Account,
  parts: { params?: Record<string, string>; json?: object; amr?: readonly string[] },
) {
  const handler = instances.get(setting)?.[name] as Handlers[Name];
  const { status, code, payload } = await call(handler, {
    method: name === 'passkeys' ? 'GET' : 'POST',
    headers: await headersOf(of, parts.amr),
    pathParameters: parts.params,
    ...(parts.json && { body: JSON.stringify(parts.json) }),
  });
  return { answer: status === 200 ? status : code, data: (payload as { data: never }).data };
}

const ROLE = ['sys_administrator'];
const AGES = [
  ['this', false],
  ['an earlier', true],
] as const;

describe.each(AGES)('after a move of the domain, with a passkey of %s version', (_, isEarlier) => {
  test.each(SETTINGS)('its owner enrols a first one again under %s', async (setting) => {
    for (const roles of [[], ROLE]) {
      const ada = await moved(isEarlier, roles);
      const asked = await send(setting, 'passkey-options', ada, { json: { purpose: 'create' } });
      expect(asked.answer).toBe(200);
      const { options } = asked.data as { options: object };
      expect(options).toMatchObject({ rp: { id: NEW }, excludeCredentials: [] });
      const credential = newAuthenticator().create(options, { origin: `https://${NEW}` });
      const parts = { params: { passkey_name: 'laptop' }, json: { credential } };
      expect((await send(setting, 'passkey-create', ada, parts)).answer).toBe(200);
    }
  });

  test.each(SETTINGS)(
    'a session of a code enrols too, one of a token does not, under %s',
    async (setting) => {
      const ada = await moved(isEarlier);
      const json = { purpose: 'create' };
      expect((await send(setting, 'passkey-options', ada, { json, amr: AMR.code })).answer).toBe(200);
      expect((await send(setting, 'passkey-options', ada, { json, amr: AMR.token })).answer).toBe(
        'forbidden',
      );
    },
  );

  test.each(SETTINGS)('its owner removes it without a step-up under %s', async (setting) => {
    for (const roles of [[], ROLE]) {
      const ada = await moved(isEarlier, roles);
      const params = { passkey_name: 'phone' };
      expect((await send(setting, 'passkey-delete', ada, { params })).answer).toBe(200);
    }
  });

  test('its owner removes it without a step-up beside one that works', async () => {
    const both = await enrol(await moved(isEarlier), NEW, 'laptop');
    const phone = { params: { passkey_name: 'phone' } };
    const laptop = { params: { passkey_name: 'laptop', username: both.username } };
    for (const wanted of [laptop, { params: { passkey_name: 'none' } }])
      expect((await send('offered', 'passkey-delete', both, wanted)).answer).toBe('step_up_required');
    expect((await send('offered', 'passkey-delete', both, phone)).answer).toBe(200);
  });

  test('an administrator removes one of another account by a step-up only', async () => {
    const [root, ada] = [await enrol(await account({ roles: ROLE }), NEW, 'key'), await moved(isEarlier)];
    const params = { passkey_name: 'phone', username: ada.username };
    expect((await send('offered', 'passkey-delete', root, { params })).answer).toBe('step_up_required');
  });

  test.each([
    ['off', 200],
    ['offered', 200],
    ['administrators', 'step_up_required'],
  ] as const)('under %s an administrator who helps another one gets %s', async (setting, expected) => {
    const [root, other] = [await moved(isEarlier, ROLE), await moved(isEarlier, ROLE)];
    const params = { username: other.username };
    const { answer, data } = await send(setting, 'code', root, { params });
    expect(answer).toBe(expected);
    if (expected === 'step_up_required') expect(data).toMatchObject({ errors: [{ field: 'passkey' }] });
  });

  test('a list says that it is not usable, and where it would be', async () => {
    const both = await enrol(await moved(isEarlier), NEW, 'laptop');
    const { data } = await send('off', 'passkeys', both, {});
    const items = (data as { items: { name: string }[] }).items.sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(items).toMatchObject([
      { name: 'laptop', rp_id: NEW, usable: true },
      { name: 'phone', rp_id: OLD, usable: false },
    ]);
  });
});

test('ten passkeys of another domain leave room for ten of this one', async () => {
  let ada = await account();
  const its = { ...fresh, auth_time: Math.floor(now / 1000) };
  for (let n = 0; n < 10; n++) ada = await enrol(ada, OLD, `old-${n}`, its);
  for (const attributes of [{}, { enrolments: undefined }]) {
    if ('enrolments' in attributes) ada = await setAttributes(table, ada, attributes as never);
    ada = await enrol(ada, NEW, `new-${Object.keys(ada.passkeys ?? {}).length}`, its);
  }
  for (let n = 12; n < 20; n++) ada = await enrol(ada, NEW, `new-${n}`, its);
  await expect(enrol(ada, NEW, 'more', its)).rejects.toMatchObject({ code: 'passkey_limit' });
});

test.each([
  ['this', false, 0],
  ['an earlier', true, 1],
] as const)(
  'a passkey of %s version that works here counts, and its item is read before a refusal at most',
  async (_, isEarlier, expected) => {
    const created = await enrol(await account({ roles: ROLE }), NEW, 'phone');
    const root = isEarlier
      ? await setAttributes(table, created, { enrolments: undefined } as never)
      : created;
    const params = { username: (await account()).username };
    const reads = () => JSON.stringify(wire.commands).match(/PASSKEY#/g)?.length ?? 0;
    wire.reset();
    expect((await send('off', 'code', root, { params })).answer).toBe(200);
    expect(reads()).toBe(0);
    expect((await send('offered', 'code', root, { params })).answer).toBe('step_up_required');
    expect(reads()).toBe(expected);
  },
);
