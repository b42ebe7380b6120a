import type { AnyContract, MethodOf, RepeatsOf } from './contracts.ts';

type Row<C extends AnyContract> = readonly [
  method: MethodOf<C>,
  path: C['path'],
  repeats: RepeatsOf<C>,
  ...(C['access'] extends 'public' | 'authenticated-or-code' ? [access: C['access']] : []),
  ...(C extends { readonly bodyKind: 'form' } ? [body: 'form'] : []),
];

/** Properties of the contracts that a client needs at run time. The compiler checks every row against its contract. */
export const OPERATIONS = {
  'account.access': ['POST', '/api/core/account/access/{username}', 'never'],
  'account.browse': ['GET', '/api/core/account/browse', 'by-page'],
  'account.cancel': ['POST', '/api/core/account/cancel/{username}', 'always'],
  'account.code': ['POST', '/api/core/account/code/{username}', 'never'],
  'account.context': ['POST', '/api/core/account/context/{app_name}/{username?}', 'never'],
  'account.copy': ['POST', '/api/core/account/copy/{source_username}/{target_username}', 'never'],
  'account.create': ['POST', '/api/core/account/create', 'with-key'],
  'account.end-session': ['POST', '/api/core/account/sessions/end/{session_id}/{username?}', 'never'],
  'account.lock': ['POST', '/api/core/account/lock/{username}', 'always'],
  'account.login': ['POST', '/api/core/account/login', 'always', 'public'],
  'account.logout': ['GET', '/api/core/account/logout', 'never'],
  'account.password': ['POST', '/api/core/account/password', 'never', 'authenticated-or-code'],
  'account.profile': ['GET', '/api/core/account/profile/{username?}', 'always'],
  'account.profile-update': ['POST', '/api/core/account/profile-update', 'never'],
  'account.reactivate': ['POST', '/api/core/account/reactivate/{username}', 'always'],
  'account.sessions': ['GET', '/api/core/account/sessions/{username?}', 'by-page'],
  'account.unlock': ['POST', '/api/core/account/unlock/{username}', 'always'],
  'audit.browse': ['GET', '/api/core/audit/browse', 'by-page'],
  'docs.openapi': ['GET', '/api/core/openapi.json', 'always', 'public'],
  'event.pending': ['GET', '/api/core/event/pending', 'by-page'],
  'oauth.introspect': ['POST', '/api/core/oauth/introspect', 'always', 'form'],
  'oauth.revoke': ['POST', '/api/core/oauth/revoke', 'always', 'form'],
  'system.info': ['GET', '/api/core/system', 'always'],
  'system.jwks': ['GET', '/api/core/system/jwks', 'always', 'public'],
  'system.ping': ['POST', '/api/core/system/ping', 'always'],
  'system.preview': ['POST', '/api/core/system/preview', 'always'],
  'system.uuid': ['GET', '/api/core/system/uuid', 'always'],
  'system.uuids': ['GET', '/api/core/system/uuids', 'always'],
  'team.browse': ['GET', '/api/core/team/browse', 'by-page'],
  'team.create': ['POST', '/api/core/team/create/{short}', 'never'],
  'token.browse': ['GET', '/api/core/token/browse', 'by-page'],
  'token.create': ['POST', '/api/core/token/create/{token_name}/{username}', 'with-key'],
  'token.create-own': ['POST', '/api/core/token/own/{token_name}', 'with-key'],
  'token.create-login-token': ['POST', '/api/core/token/create/logintoken', 'never'],
  'token.delete': ['POST', '/api/core/token/delete/{token_name}/{username}', 'never'],
  'token.list-own': ['GET', '/api/core/token/user', 'always'],
  'token.list-user': ['GET', '/api/core/token/user/{username}', 'always'],
  'token.rotate': ['POST', '/api/core/token/rotate/{token_name}/{username}', 'with-key'],
  'token.revoke': ['POST', '/api/core/token/revoke/{username}', 'always'],
} as const satisfies { readonly [C in AnyContract as C['id']]: Row<C> };

export type OperationId = keyof typeof OPERATIONS;

/** Name of the method of an operation: `profileUpdate` for `account.profile-update`. */
export const methodName = (id: string) =>
  id.replace(/^\w+\./, '').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
