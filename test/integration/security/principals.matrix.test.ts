import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { readAccount } from '#lib/account/account';
import { inParallel } from '#lib/async/in-parallel';
import { type Route, routes } from '#lib/routes';
import { accountKey, tokenNames } from '#lib/table/keys';
import { get, query } from '#lib/table/read';
import { namesAccount, statusFor } from '../../../infra/principals.ts';
import { matrix } from '../../matrix.ts';
import { sessionIdOf, storedPasskey, storedSession } from '../../unit/support/items.ts';
import { NEW_PASSWORD, requestOf } from '../requests.ts';
import { call, createUser, prepare, target, type User, uniqueName } from '../service.ts';
import { type Caller, openCallers } from './callers.ts';

let callers: readonly Caller[];
/** Account that callers without permission name: it never changes. */
let untouched: User;
let before: unknown;
/** API token for requests that begin a session. */
let token: string;

/** All stored attributes of an account except those of its last activity, and its tokens. */
async function stateOf({ username }: User) {
  const { table } = (await target()).runtime;
  const { lastActivity, never_used, ...account } = (await get(
    table,
    accountKey(username),
  )) as User['account'];
  return { account, tokens: await query(table, tokenNames(username)) };
}

beforeAll(async () => {
  callers = await openCallers();
  untouched = await createUser();
  before = await stateOf(untouched);
  token = await (await createUser()).token();
});

/** Whether its success ends the sessions or tokens that the caller needs for other routes. */
const endsOthers = ({ contract: { id, unsafe, access } }: Route) =>
  unsafe || access === 'authenticated-or-code' || /^token\.r/.test(id);

const kindOf = ({ contract: { access, accountCacheMs } }: Route) =>
  JSON.stringify([access, accountCacheMs !== undefined]);

/** Routes that all callers request: the first of each kind of authentication and access. */
const first = [...Map.groupBy(routes, kindOf).values()].map((alike) => alike.find((one) => !endsOthers(one)));

/** The callers of a route: all, or one of each principal in turn; for public routes, one that is accepted and one that is not. */
function callersOf(route: Route): readonly Caller[] {
  if (first.includes(route)) return callers;
  const isPublic = route.contract.access === 'public';
  const groups = Map.groupBy(callers, ({ principal }) => (isPublic ? principal.isAuthenticated : principal));
  return [...groups.values()].map((group) => group[routes.indexOf(route) % group.length] as Caller);
}

/** A request of a route that succeeds when its caller may make it. */
function requestFor(route: Route, named: string, { user }: Caller) {
  const { id, path: full, aliases } = route.contract;
  if (aliases?.includes(route.path)) return [route.method, route.path, undefined] as const;
  const presented = id === 'oauth.token' ? token : undefined;
  const [, filled, request] = requestOf(id, { username: named, password: token, presented });
  const json: Record<string, unknown> = {
    'account.profile-update': { username: named, phonenumber: '1' },
    'account.login': { username: 'api', password: token },
    'account.password': { current_password: user?.password ?? '', new_password: NEW_PASSWORD },
  };
  const isShort = full.endsWith('?}') && !namesAccount(route);
  const body = route.method === 'GET' ? undefined : (json[id] ?? request?.json);
  const short = isShort ? filled.slice(0, filled.lastIndexOf('/')) : filled;
  return [
    route.method,
    short,
    body === undefined ? request?.form && { form: request.form } : { json: body },
  ] as const;
}

/** The account that a request names: a new one when the request changes it. */
async function subjectOf(route: Route, { principal, user }: Caller): Promise<string> {
  if (/^team\.(delete|rename)$/.test(route.contract.id)) {
    const username = uniqueName();
    await prepare(route.contract.id, { username });
    return username;
  }
  if (principal.names === 'nobody') return uniqueName('missing');
  if (principal.names === 'itself' && user) return user.username;
  const { id } = route.contract;
  const isChange = route.method !== 'GET' && statusFor(route, principal) === 200;
  if (isChange && /^(account|team)\.create$/.test(id)) return uniqueName();
  if (!isChange || !namesAccount(route)) return untouched.username;
  const subject = await createUser();
  await prepare(id, subject);
  return subject.username;
}

/** A session that a request can end, if it ends one: each can be ended once. */
async function sessionFor({ contract: { id } }: Route, username = '') {
  const { table } = (await target()).runtime;
  const account = id === 'account.end-session' ? await readAccount(table, username) : undefined;
  return account ? storedSession(table, account, { id: randomUUID() }) : sessionIdOf(username);
}

/** Stores a passkey of the account that a request removes one of. */
async function passkeyFor({ contract: { id } }: Route, username = '') {
  const { table } = (await target()).runtime;
  const account = id === 'account.passkey-delete' ? await readAccount(table, username) : undefined;
  if (account) await storedPasskey(table, account);
}

/** The callers are tokens, and sessions that they have begun: others create passkeys, and send assertions, in passkeys.test.ts. */
const statusOf = (route: Route, { principal }: Caller) => {
  const status = statusFor(route, principal);
  const isOwn = principal.names === 'itself' || !namesAccount(route);
  return route.contract.ownBy === 'session' && isOwn && status === 200 ? 403 : status;
};

const closed = routes.filter(({ contract }) => contract.id !== 'account.passkey-assert');

test.each(matrix(closed, (route) => first.includes(route) || routes.indexOf(route) % 4 === 0))(
  '$method $path answers every caller with the status of the table (ASVS 5 8.2.1, API5:2023)',
  async (route) => {
    const present = callersOf(route);
    const answers = await inParallel(
      present,
      async (known) => {
        const isSpent = endsOthers(route) && statusFor(route, known.principal) === 200;
        const caller = isSpent ? await known.reopen() : known;
        const named = await subjectOf(route, caller);
        const [method, filled, content] = requestFor(route, named, caller);
        const path = filled.replace(
          sessionIdOf(named),
          await sessionFor(route, namesAccount(route) ? named : caller.user?.username),
        );
        const subject = namesAccount(route) ? named : caller.user?.username;
        if (statusFor(route, caller.principal) === 200) await passkeyFor(route, subject);
        const { status } = await call(method, path, { ...caller.credential, ...content });
        return [caller.name, status] as const;
      },
      1,
    );
    const expected = present.map((caller) => [caller.name, statusOf(route, caller)]);
    expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(expected));
    expect(await stateOf(untouched), 'refused requests have changed nothing').toEqual(before);
  },
);
