import { beforeAll, expect, test } from 'vitest';
import { type Route, routes } from '#lib/routes';
import { namesAccount, statusFor } from '../../../infra/principals.ts';
import { inParallel } from '../../in-parallel.ts';
import { requestOf } from '../requests.ts';
import { call, createUser, type User, uniqueName } from '../service.ts';
import { type Caller, openCallers } from './callers.ts';
import { stateOf } from './ways.ts';

let callers: readonly Caller[];
/** Whom those name who may not: nothing of it ever changes. */
let untouched: User;
let before: unknown;
/** An API token to log in with. */
let token: string;

beforeAll(async () => {
  callers = await openCallers();
  untouched = await createUser();
  before = await stateOf(untouched);
  token = await (await createUser()).token();
});

const isLogout = ({ contract }: Route) => contract.unsafe === true;

/** The request of a route that is right but for who makes it. */
function requestFor(route: Route, named: string) {
  const { id, path: full, aliases } = route.contract;
  if (aliases?.includes(route.path)) return [route.method, route.path, undefined] as const;
  const [, filled, request] = requestOf(id, { username: named, password: token });
  const json: Record<string, unknown> = {
    'account.profile-update': { username: named, phonenumber: '1' },
    'account.login': { username: 'api', password: token },
  };
  const isShort = full.endsWith('?}') && !namesAccount(route);
  const body = route.method === 'GET' ? undefined : (json[id] ?? request?.json);
  return [route.method, isShort ? filled.slice(0, filled.lastIndexOf('/')) : filled, body] as const;
}

/** The account that a request names: one of its own where it will be changed. */
async function subjectOf(route: Route, { principal, user }: Caller): Promise<string> {
  if (principal.names === 'nobody') return uniqueName('missing');
  if (principal.names === 'itself' && user) return user.username;
  const isChanged = namesAccount(route) && route.method !== 'GET' && statusFor(route, principal) === 200;
  if (!isChanged) return untouched.username;
  const subject = await createUser();
  if (route.contract.id === 'token.delete') await subject.token('first');
  return subject.username;
}

/**
 * Logging out comes last: it ends the sessions that the other routes are tried with. These begin at the other end than
 * cross-site.test.ts, since a function that two requests meet at once starts a second environment.
 */
const inOrder = routes.toReversed().sort((one, other) => Number(isLogout(one)) - Number(isLogout(other)));

test.each(inOrder)('ASVS 5 8.2.1, 8.3.2, API5:2023: $method $path', async (route) => {
  const answers = await inParallel(
    callers,
    async (caller) => {
      const [method, path, json] = requestFor(route, await subjectOf(route, caller));
      const { status } = await call(method, path, {
        ...caller.credential,
        ...(json !== undefined && { json }),
      });
      return [caller.name, status] as const;
    },
    1,
  );
  const expected = callers.map(({ name, principal }) => [name, statusFor(route, principal)]);
  expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(expected));
});

test('ASVS 5 8.2.2, API1:2023: what was refused has changed nothing', async () => {
  expect(await stateOf(untouched)).toEqual(before);
});
