import { readdirSync } from 'node:fs';
import { script } from '#lib/docs/contracts';
import { contracts, routesOf } from '#lib/routes';
import { bundleFolder } from '../../infra/bundle.ts';
import type { Call, User } from './service.ts';

type Request = [method: string, path: string, request?: Call];

/** The script of the documentation has the name that the page gives it. */
const scriptName = () =>
  readdirSync(bundleFolder(script.id))
    .find((name) => name.endsWith('.gz'))
    ?.replace(/gz$/, 'js');

/** A request that succeeds, of every endpoint that takes any input. */
const requests: Record<string, (user: Pick<User, 'username' | 'password'>) => Request> = {
  'token.browse': () => ['GET', '/api/core/token/browse'],
  'token.list-user': ({ username }) => ['GET', `/api/core/token/user/${username}`],
  'token.create': ({ username }) => ['POST', `/api/core/token/create/second/${username}`],
  'token.create-login-token': () => ['POST', '/api/core/token/create/logintoken'],
  'token.delete': ({ username }) => ['POST', `/api/core/token/delete/first/${username}`],
  'account.profile': ({ username }) => ['GET', `/api/core/account/profile/${username}`],
  'account.profile-update': () => ['POST', '/api/core/account/profile-update', { json: {} }],
  'account.browse': () => ['GET', '/api/core/account/browse'],
  'account.copy': ({ username }) => ['POST', `/api/core/account/copy/admin/${username}`],
  'account.lock': ({ username }) => ['POST', `/api/core/account/lock/${username}`],
  'account.unlock': ({ username }) => ['POST', `/api/core/account/unlock/${username}`],
  'account.cancel': ({ username }) => ['POST', `/api/core/account/cancel/${username}`],
  'account.reactivate': ({ username }) => ['POST', `/api/core/account/reactivate/${username}`],
  'account.context': ({ username }) => ['POST', `/api/core/account/context/core/${username}`],
  'account.login': ({ username, password }) => [
    'POST',
    '/api/core/account/login',
    { json: { username, password } },
  ],
  'docs.script': () => ['GET', `/api/core/docs/${scriptName()}`],
  'system.info': () => ['GET', '/api/core/system?setup=true'],
  'system.preview': () => ['POST', '/api/core/system/preview', { json: { painput: '# Hello' } }],
  'system.uuids': () => ['GET', '/api/core/system/uuids?n=3'],
  'system.ping': () => ['POST', '/api/core/system/ping', { json: { a: [1] } }],
};

/** A request of an endpoint that succeeds when an administrator sends it; `user` has a token named `first`. */
export function requestOf(id: string, user: Pick<User, 'username' | 'password'>): Request {
  const request = requests[id];
  if (request) return request(user);
  const contract = contracts.find((each) => each.id === id);
  const [route] = contract ? routesOf(contract) : [];
  if (route?.method !== 'GET' || contract?.params || contract?.query)
    throw new Error(`test/integration/requests.ts has no request for ${id}`);
  return ['GET', route.path];
}
