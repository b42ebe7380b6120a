import * as z from 'zod/mini';
import { username } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import { CHANGE_OF_ACCOUNT, PUBLISHING } from '../contract/needs.ts';
import { page, pageQuery } from '../contract/paging.ts';
import { createdTokenSchema, LOGIN_TOKEN, tokenName, tokenRecordSchema } from './record.ts';

const tokenList = () => z.strictObject({ items: z.array(tokenRecordSchema()) });

export const listOwn = {
  id: 'token.list-own',
  summary: 'List your own tokens',
  method: 'GET',
  path: '/api/core/token/user',
  access: 'authenticated',
  needs: ['table:Query:ACCOUNT', 'index:GSI1:TOKENS'],
  title: 'Token List',
  response: tokenList,
} as const satisfies Contract;

export const browse = {
  id: 'token.browse',
  summary: 'List all tokens',
  method: 'GET',
  path: '/api/core/token/browse',
  access: { role: 'sys_administrator' },
  needs: ['index:GSI1:TOKENS', 'table:GetItem:KEYS'],
  title: 'Token List',
  compress: true,
  query: pageQuery,
  response: () => z.strictObject({ items: z.array(tokenRecordSchema()), ...page() }),
} as const satisfies Contract;

export const listUser = {
  id: 'token.list-user',
  summary: 'List the tokens of an account',
  method: 'GET',
  path: '/api/core/token/user/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: ['table:Query:ACCOUNT', 'index:GSI1:TOKENS'],
  title: 'Token List',
  params: () => z.object({ username: username() }),
  response: tokenList,
} as const satisfies Contract;

export const create = {
  id: 'token.create',
  summary: 'Create a token',
  method: 'POST',
  path: '/api/core/token/create/{token_name}/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: ['transaction:PutItem:ACCOUNT', 'transaction:PutItem:TOKEN', CHANGE_OF_ACCOUNT, PUBLISHING],
  title: 'Token Created',
  failures: ['account_cancelled', 'idempotency_key_reused', 'token_deleted', 'token_exists', 'token_limit'],
  params: () => z.object({ token_name: tokenName(), username: username() }),
  requestHeaders: () =>
    z.object({
      'idempotency-key': z.optional(
        z.string().check(z.regex(/^[\x21-\x7e]{1,255}$/, 'Must be 1 to 255 visible characters of ASCII')),
      ),
    }),
  response: createdTokenSchema,
} as const satisfies Contract;

export const createLogin = {
  id: 'token.create-login-token',
  summary: 'Create your login token',
  method: 'POST',
  path: '/api/core/token/create/logintoken',
  access: { role: 'sys_tokens' },
  tokenName: LOGIN_TOKEN,
  needs: [
    'table:GetItem:ACCOUNT',
    'transaction:PutItem:ACCOUNT',
    'transaction:PutItem:TOKEN',
    'transaction:UpdateItem:ACCOUNT',
    'transaction:DeleteItem:TOKEN',
    PUBLISHING,
  ],
  title: 'Token Created',
  failures: ['account_cancelled', 'token_limit'],
  response: createdTokenSchema,
} as const satisfies Contract;

export const remove = {
  id: 'token.delete',
  summary: 'Delete a token',
  method: 'POST',
  path: '/api/core/token/delete/{token_name}/{username}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  accounts: ['username'],
  needs: [
    'table:GetItem:ACCOUNT',
    'transaction:DeleteItem:ACCOUNT',
    'transaction:DeleteItem:TOKEN',
    CHANGE_OF_ACCOUNT,
    PUBLISHING,
  ],
  title: 'Token Deleted',
  failures: ['token_not_found'],
  params: () => z.object({ token_name: tokenName(), username: username() }),
  response: () => z.strictObject({ username: z.string(), name: z.string() }),
} as const satisfies Contract;
