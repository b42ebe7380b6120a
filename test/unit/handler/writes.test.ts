import { describe, expect, test, vi } from 'vitest';
import type { Contract } from '#lib/contract/contract';
import { isAudited } from '#lib/http/audit';
import { type Account, FOREVER } from '#lib/item/account';
import { contracts, sourceOf } from '#lib/routes';
import { accountKey, allCounters, codeKey, passwordKey, propertiesKey } from '#lib/table/keys';
import { get, query } from '#lib/table/read';
import { remove } from '#lib/table/write';
import { listTeams } from '#lib/team/team';
import { createToken } from '#lib/token/create';
import { listTokens } from '#lib/token/list';
import { partsOf, type Sample, samplesOf } from '../../integration/requests.ts';
import type { Fault } from '../../wire/dynamodb-proxy.ts';
import { call, createSigningKey, openEndpoints } from '../support/endpoints.ts';
import { by } from '../support/engine.ts';
import { openTestBus } from '../support/event-bus.ts';
import { storedSession } from '../support/items.ts';
import { logLines } from '../support/log-lines.ts';
import { setAttributes } from '../support/set-attributes.ts';

/** A request that changes something, and whether its caller needs a role. */
interface Write {
  readonly id: string;
  readonly sample: Sample;
  readonly role: string | undefined;
}
/** Login has no caller that could lose a permission; test/unit/login/change-password.test.ts holds this for passwords. */
const isWrite = (contract: Contract) =>
  isAudited(contract) && contract.access !== 'public' && contract.access !== 'authenticated-or-code';
const WRITES = contracts.filter(isWrite).flatMap(({ id, access }) =>
  samplesOf(id).map((sample): [string, Write] => {
    const role = typeof access === 'object' && !sample.own ? access.role : undefined;
    return [sample.name ? `${id}, ${sample.name}` : id, { id, sample, role }];
  }),
);

logLines();
const { table, wire, runtime, account, session } = await openEndpoints();
await openTestBus();
vi.stubEnv('EVENT_BUS_NAME', 'bus');
// Only this file loads the functions, with its table.
vi.resetModules();
const key = await createSigningKey(table);

const everythingOf = ({ username }: Account) =>
  Promise.all([
    get(table, accountKey(username)),
    get(table, passwordKey(username)),
    get(table, propertiesKey(username)),
    listTokens(runtime, { username }),
    get(table, codeKey(username)),
    listTeams(table),
    // Of accounts: a new one has none of the names above.
    query(table, allCounters),
  ]);

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
  const one = await account({ roles, apps: ['crm', 'core'] });
  await storedSession(table, one);
  return setAttributes(table, one, { user_color: '#000000' });
};

/** Sends a request, and does something to its caller, or to its first write, just before that write. */
async function send({ id, sample, role }: Write, meanwhile: (caller: Account) => Promise<Fault | undefined>) {
  const caller = await created('x', ...(role ? [role] : []));
  const target = sample.own ? caller : await created();
  if (caller !== target) await createToken(runtime, caller, 'held', by('test'));
  const { value } = await createToken(runtime, target, 'held', by('test'));
  const presented =
    sample.presents === 'session' ? await session(target, key, Date.now()) : (value as string);
  for (const before of sample.before ?? [])
    await request(before.id, before, await created('sys_administrator'), target);

  const before: unknown[] = [];
  let waiting = true;
  wire.script(async (operation, sent) => {
    const text = JSON.stringify(sent);
    const isActivity = text.includes('lastActivity') && !text.includes('"Item":');
    if (!waiting || isActivity || !/^(TransactWrite|Update)/.test(operation)) return undefined;
    waiting = false;
    const fault = await meanwhile(caller);
    before.push(await everythingOf(caller), await everythingOf(target));
    return fault;
  });
  const reply = await request(id, sample, caller, target, presented);
  wire.reset();
  expect(waiting).toBe(false);
  return { reply, before, after: [await everythingOf(caller), await everythingOf(target)] };
}

const nothing = async () => undefined;
const change = async (caller: Account, to: Partial<Account>) => {
  await setAttributes(table, caller, to);
  return undefined;
};
/** What happens to the caller after its authentication, and the status that follows. */
const LOSSES = {
  locked: [(caller: Account) => change(caller, { lockoutend: FOREVER }), 401],
  cancelled: [(caller: Account) => change(caller, { isactive: false }), 401],
  removed: [(caller: Account) => remove(table, accountKey(caller.username)).then(nothing), 401],
  'deprived of its roles': [(caller: Account) => change(caller, { roles: [] }), 403],
} as const;

/** What an answer says about the change; the accounts differ. */
const summary = ({ reply, after }: Awaited<ReturnType<typeof send>>) => {
  const { data = {} } = reply.payload as { data?: Record<string, unknown> };
  const { changed, roles_added } = data;
  const tokens = (after as Awaited<ReturnType<typeof everythingOf>>[]).map(
    ([, , , { items }]) => items.length,
  );
  return { status: reply.status, changed, roles_added, fields: Object.keys(data), tokens };
};

describe.each(WRITES)('%s', (_name, write) => {
  test('changes something, and answers alike when the answer to its write is lost', async () => {
    const [once, twice] = [await send(write, nothing), await send(write, async () => 'lose')];
    expect(once.reply.status).toBe(200);
    expect(once.after).not.toEqual(once.before);
    expect(summary(twice)).toEqual(summary(once));
  });

  // That a guard holds whatever it requires: below, and test/unit/table/guard.test.ts.
  test('changes nothing when its caller was locked or deprived of its role after the authentication', () =>
    changesNothing(write, write.role ? 'deprived of its roles' : 'locked'));
});

test.each(
  ['account.cancel', 'account.profile-update, own'].flatMap((name) =>
    Object.keys(LOSSES).map((loss) => [name, loss] as const),
  ),
)('%s changes nothing when its caller was %s after the authentication', (name, loss) =>
  changesNothing(WRITES.find(([each]) => each === name)?.[1] as Write, loss as keyof typeof LOSSES),
);

async function changesNothing(write: Write, loss: keyof typeof LOSSES) {
  const [lose, status] = LOSSES[loss];
  const { reply, before, after } = await send(write, lose);
  const isPermitted = loss === 'deprived of its roles' && !write.role;
  expect(reply.status).toBe(isPermitted ? 503 : status);
  expect(after).toEqual(before);
}
