import { beforeAll, expect, test } from 'vitest';
import { type Route, routes } from '#lib/routes';
import { namesAccount, statusFor } from '../../../infra/principals.ts';
import { inParallel } from '../../unit/support/in-parallel.ts';
import { requestOf } from '../requests.ts';
import { call, createUser, type User, uniqueName } from '../service.ts';
import { type Caller, openCallers } from './callers.ts';
import { stateOf } from './ways.ts';

let callers: readonly Caller[];
/** Account that callers without permission name: it never changes. */
let untouched: User;
let before: unknown;
/** API token for requests of login. */
let token: string;

beforeAll(async () => {
  callers = await openCallers();
  untouched = await createUser();
  before = await stateOf(untouched);
  token = await (await createUser()).token();
});

/** A request of a route that succeeds when its caller may make it. */
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

/** The account that a request names: a new one when the request changes it. */
async function subjectOf(route: Route, { principal, user }: Caller): Promise<string> {
  if (principal.names === 'nobody') return uniqueName('missing');
  if (principal.names === 'itself' && user) return user.username;
  const isChanged = namesAccount(route) && route.method !== 'GET' && statusFor(route, principal) === 200;
  if (!isChanged) return untouched.username;
  const subject = await createUser();
  if (route.contract.id === 'token.delete') await subject.token('first');
  return subject.username;
}

test.each(routes)(
  '$method $path answers every caller as the table says (ASVS 5 8.2.1, API5:2023)',
  async (route) => {
    // A logout ends the sessions that other routes need.
    const present = route.contract.unsafe ? await openCallers() : callers;
    const answers = await inParallel(
      present,
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
    const expected = present.map(({ name, principal }) => [name, statusFor(route, principal)]);
    expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(expected));
    expect(await stateOf(untouched), 'what was refused has changed nothing').toEqual(before);
  },
);
