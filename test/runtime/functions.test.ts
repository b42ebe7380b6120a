import { expect, test } from 'vitest';
import { contracts, functions } from '#lib/routes';
import { EVERY_ROLE } from '../integration/every-role.ts';
import { requestOf } from '../integration/requests.ts';
import { call, createUser, noted, post, prepared, succeed } from '../integration/service.ts';
import { readDeployed } from './deployed.ts';
import { openRuntime } from './lambda.ts';

const { base, environment } = await openRuntime();

test('the deployment has every function and no other', () => {
  expect([...readDeployed().keys()].sort()).toEqual(functions.map(({ id }) => id).sort());
});

test.each(contracts)('$id answers with a session, and without one by its contract', async (contract) => {
  const { id, access } = contract;
  const [caller, user] = await Promise.all([createUser({ roles: [...EVERY_ROLE] }), createUser()]);
  await user.token('first');
  const { username, password } = caller;
  const login = await post('/api/core/account/login', { base, json: { username, password } });
  const jwt = noted(login.body.data.JWTtoken);

  const [method, path, request] =
    access === 'public' ? await prepared(id, user, { base }) : requestOf(id, user);
  const without = await call(method, path, { ...request, base });
  expect(without.status, without.text).toBe(access === 'public' || access === 'optional' ? 200 : 401);
  await succeed(id, user, { base, jwt });

  const { lines, offences } = await environment(id);
  expect(offences).toEqual([]);
  const logged = lines().filter((line) => typeof line === 'string' || line['level'] !== 'audit');
  const line = (status: number) => expect.objectContaining({ level: 'info', function: id, status });
  const ofRequests = logged.filter((one) => typeof one === 'string' || 'status' in one);
  expect(ofRequests.slice(-2)).toEqual([line(without.status), line(200)]);
  expect(logged.filter((one) => typeof one === 'string' || one['level'] !== 'info')).toEqual([]);
});
