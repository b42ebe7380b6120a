import { describe, expect, test, vi } from 'vitest';
import { type Contract, mayLackCredential } from '#lib/contract/contract';
import { settingVariable } from '#lib/instance/settings';
import { type Account, FOREVER } from '#lib/item/account';
import { contracts, sourceOf } from '#lib/routes';
import { accountKey } from '#lib/table/keys';
import { remove } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { listTokens } from '#lib/token/list';
import { ISSUERS } from '../../integration/issuers.ts';
import { needsDevice, partsOf, type Sample, samplesOf } from '../../integration/requests.ts';
import { matrix } from '../../matrix.ts';
import type { Command, Fault } from '../../wire/dynamodb-proxy.ts';
import { changes as mayChange } from '../support/changes.ts';
import { call, createSigningKey, openEndpoints } from '../support/endpoints.ts';
import { by } from '../support/engine.ts';
import { openTestBus } from '../support/event-bus.ts';
import { giveHeld, storedSession } from '../support/items.ts';
import { logLines } from '../support/log-lines.ts';
import { openTestSecrets } from '../support/secrets.ts';
import { setAttributes } from '../support/set-attributes.ts';

/** A request that changes something, and whether its caller needs a role. */
interface Write {
  readonly id: string;
  readonly sample: Sample;
  readonly role: string | undefined;
}
/** Login has no caller that could lose a permission; change-password.test.ts holds this for passwords, passkey/guard.test.ts for passkeys. */
const isWrite = (contract: Contract) => mayChange(contract) && !mayLackCredential(contract.access);
const WRITES = contracts
  .filter((one) => isWrite(one) && !needsDevice(one))
  .flatMap(({ id, access }) =>
    samplesOf(id).map((sample): [string, Write] => {
      const role = typeof access === 'object' && !sample.own ? access.role : undefined;
      return [sample.name ? `${id}, ${sample.name}` : id, { id, sample, role }];
    }),
  );

logLines();
vi.stubEnv('Settings__Issuers', ISSUERS);
const { table, wire, runtime, account, session } = await openEndpoints();
await openTestBus();
vi.stubEnv('EVENT_BUS_NAME', 'bus').stubEnv(settingVariable('ErasureAfterDays'), '0');
vi.stubEnv('ERASURE_KEY_SECRET_ID', await (await openTestSecrets()).create('key'));
// Only this file loads the functions, with its table.
vi.resetModules();
const key = await createSigningKey(table);

/** Calls an endpoint as an account, about another one. */
async function request(
  id: string,
  sample: Sample,
  caller: Account,
  { username }: Account,
  presented?: string,
) {
  const names = { username, source: caller.username, ...(presented ? { presented } : {}) };
  const { route, params, query, json, form, headers } = partsOf(id, names, sample);
  const contract = contracts.find((each) => each.id === id) as Contract;
  const { handler } = await import(/* @vite-ignore */ `../../../${sourceOf(contract)}`);
  return call(handler, {
    method: route.method,
    headers: {
      authorization: `Bearer ${await session(caller, key, Date.now())}`,
      'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
      ...headers,
    },
    pathParameters: params,
    queryStringParameters: query,
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    ...(form === undefined ? {} : { body: `${new URLSearchParams(form)}` }),
  });
}

/** An account that each request changes. */
const created = async (...roles: string[]) => {
  const one = await account({ roles, apps: ['crm', 'core'], user_color: '#000000' });
  await storedSession(table, one);
  return one;
};

const isUse = ({ input }: Command) => {
  const text = JSON.stringify(input);
  return text.includes('lastActivity') && !/"Item":|"Delete":|#created_at/.test(text);
};
/** Whether a command has changed something other than the last use of a credential. */
const isChange = (command: Command) =>
  command.applied && /Write|Put|Update|Delete/.test(command.operation) && !isUse(command);

/** Sends a request, and does something to its caller, or to its first write, just before that write. */
async function send({ id, sample, role }: Write, meanwhile: (caller: Account) => Promise<Fault | undefined>) {
  const caller = await created('x', ...(role ? [role] : []));
  const target = sample.own ? caller : await created();
  if (caller !== target) await createToken(runtime, caller, 'held', by('test'));
  const { value } = await createToken(runtime, target, 'held', by('test'));
  const presented =
    sample.presents === 'session' ? await session(target, key, Date.now()) : (value as string);
  if (sample.holds) await giveHeld(table, target, sample.holds);
  for (const before of sample.before ?? [])
    await request(before.id, before, await created('sys_administrator'), target);

  let first: Command | undefined;
  let from = 0;
  wire.script(async (operation) => {
    const command = wire.commands.at(-1) as Command;
    if (first || isUse(command) || !/^(TransactWrite|Update)/.test(operation)) return undefined;
    first = command;
    const fault = await meanwhile(caller);
    from = wire.commands.length;
    return fault;
  });
  const reply = await request(id, sample, caller, target, presented);
  await wire.settled();
  expect(first).toBeDefined();
  const changes = [first as Command, ...wire.commands.slice(from)].filter(isChange);
  wire.reset();
  return { reply, changes, tokens: await Promise.all([caller, target].map(countTokens)) };
}

const countTokens = async ({ username }: Account) => (await listTokens(runtime, { username })).items.length;

const nothing = async () => undefined;
const change = async (caller: Account, to: Partial<Account>) => {
  await setAttributes(table, caller, to);
  return undefined;
};
/** Changes of the caller after its authentication, and the resulting status. */
const LOSSES = {
  locked: [(caller: Account) => change(caller, { lockoutend: FOREVER }), 401],
  cancelled: [(caller: Account) => change(caller, { isactive: false }), 401],
  removed: [(caller: Account) => remove(table, accountKey(caller.username)).then(nothing), 401],
  'deprived of its roles': [(caller: Account) => change(caller, { roles: [] }), 403],
} as const;

/** The parts of an answer about the change; the accounts differ. */
const summary = ({ reply, tokens }: Awaited<ReturnType<typeof send>>) => {
  const { data = {} } = reply.payload as { data?: Record<string, unknown> };
  const { changed, roles_added } = data;
  return { status: reply.status, changed, roles_added, fields: Object.keys(data), tokens };
};

// The usual request of a contract stands for its others.
describe.each(matrix(WRITES, ([name]) => !name.includes(', ')))('%s', (_name, write) => {
  test('changes something, and answers alike when the answer to its write is lost', async () => {
    const [once, twice] = [await send(write, nothing), await send(write, async () => 'lose')];
    expect(once.reply.status).toBe(200);
    expect(once.changes).not.toEqual([]);
    expect(summary(twice)).toEqual(summary(once));
  });

  // Other requirements of a guard: below, and test/unit/table/guard.test.ts.
  test('changes nothing when its caller was locked or lost its role after the authentication', () =>
    changesNothing(write, write.role ? 'deprived of its roles' : 'locked'));
});

test.each([
  ['account.cancel', 'cancelled'],
  ['account.cancel', 'removed'],
  ['account.profile-update, own', 'deprived of its roles'],
] as const)('%s changes nothing when its caller was %s after the authentication', (name, loss) =>
  changesNothing(WRITES.find(([each]) => each === name)?.[1] as Write, loss),
);

test.each(WRITES.filter(([name]) => /^(account\.(code|create)|token\.(create|rotate))/.test(name)))(
  '%s creates nothing when its caller was logged out after the authentication',
  async (_name, write) => {
    const { reply, changes } = await send(write, (caller) => change(caller, { stamp: 'new' }));
    expect([reply.status, changes]).toEqual([401, []]);
  },
);

async function changesNothing(write: Write, loss: keyof typeof LOSSES) {
  const [lose, status] = LOSSES[loss];
  const { reply, changes } = await send(write, lose);
  const isPermitted = loss === 'deprived of its roles' && !write.role;
  expect(reply.status).toBe(isPermitted ? 503 : status);
  expect(changes).toEqual([]);
}
