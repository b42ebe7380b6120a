import * as z from 'zod/mini';
import { unlikeCredential, username } from '../account/identifiers.ts';
import type { Contract } from '../contract/contract.ts';
import { PUBLISHING, REPEATING, TOKEN_CREATION, TOKEN_DELETION } from '../contract/needs.ts';
import { page, pageQuery } from '../contract/paging.ts';
import { idempotencyKey } from '../idempotency/key.ts';
import { text, wholeNumber } from '../item/fields.ts';
import { MAX_OVERLAP } from './limits.ts';
import { createdTokenSchema, LOGIN_TOKEN, tokenName, tokenRecordSchema } from './record.ts';
import { tokenTerms } from './terms.ts';

const tokenList = () => z.strictObject({ items: z.array(tokenRecordSchema()) });

export const listOwn = {
  id: 'token.list-own',
  summary: 'List your own tokens',
  method: 'GET',
  path: '/api/core/token/user',
  access: 'authenticated',
  needs: ['table:Query:ACCOUNT', 'table:Query:NAMES', 'index:GSI1:TOKENS'],
  title: 'Token List',
  response: tokenList,
} as const satisfies Contract;

export const browse = {
  id: 'token.browse',
  summary: 'List all tokens',
  method: 'GET',
  path: '/api/core/token/browse',
  access: { role: 'sys_administrator' },
  needs: ['index:GSI1:TOKENS', 'table:GetItem:CURSORS', 'table:PutItem:CURSORS'],
  title: 'Token List',
  compress: true,
  query: () => z.extend(pageQuery(), { created_by: z.optional(text(256).check(z.minLength(1))) }),
  response: () => z.strictObject({ items: z.array(tokenRecordSchema()), ...page() }),
} as const satisfies Contract;

export const listUser = {
  id: 'token.list-user',
  summary: 'List the tokens of an account',
  method: 'GET',
  path: '/api/core/token/user/{username}',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: ['table:Query:ACCOUNT', 'table:Query:NAMES', 'index:GSI1:TOKENS'],
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
  needs: [
    REPEATING,
    'transaction:UpdateItem:ACCOUNT:token',
    'transaction:ConditionCheckItem:ACCOUNT:session-guard',
    TOKEN_CREATION,
    PUBLISHING,
  ],
  title: 'Token Created',
  failures: ['account_cancelled', 'idempotency_key_reused', 'token_deleted', 'token_exists', 'token_limit'],
  params: () => z.object({ token_name: tokenName().check(unlikeCredential()), username: username() }),
  requestHeaders: idempotencyKey,
  body: tokenTerms,
  bodyKind: 'json-or-none',
  response: createdTokenSchema,
} as const satisfies Contract;

export const createOwn = {
  id: 'token.create-own',
  summary: 'Create a token of your own',
  method: 'POST',
  path: '/api/core/token/own/{token_name}',
  access: { role: 'sys_tokens' },
  needs: [REPEATING, 'transaction:UpdateItem:ACCOUNT:token', TOKEN_CREATION, PUBLISHING],
  title: 'Token Created',
  failures: ['account_cancelled', 'idempotency_key_reused', 'token_deleted', 'token_exists', 'token_limit'],
  params: () => z.object({ token_name: tokenName().check(unlikeCredential()) }),
  requestHeaders: idempotencyKey,
  body: tokenTerms,
  bodyKind: 'json-or-none',
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
    'table:GetItem:NAMES',
    'table:BatchGetItem:NAMES',
    'table:BatchGetItem:ACCOUNT',
    'transaction:UpdateItem:ACCOUNT:token',
    'transaction:UpdateItem:ACCOUNT:former-name',
    'transaction:DeleteItem:TOKEN:end',
    TOKEN_CREATION,
    PUBLISHING,
  ],
  title: 'Token Created',
  failures: ['account_cancelled', 'token_limit', 'token_rotated'],
  body: tokenTerms,
  bodyKind: 'json-or-none',
  response: createdTokenSchema,
} as const satisfies Contract;

export const remove = {
  id: 'token.delete',
  summary: 'Delete a token',
  method: 'POST',
  path: '/api/core/token/delete/{token_name}/{username}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  accounts: ['username'],
  needs: [TOKEN_DELETION, PUBLISHING],
  title: 'Token Deleted',
  failures: ['token_not_found'],
  params: () => z.object({ token_name: tokenName(), username: username() }),
  response: () => z.strictObject({ username: z.string(), name: z.string() }),
} as const satisfies Contract;

export const rotate = {
  id: 'token.rotate',
  summary: 'Replace the secret of a token',
  method: 'POST',
  path: '/api/core/token/rotate/{token_name}/{username}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  accounts: ['username'],
  needs: [
    REPEATING,
    'table:GetItem:NAMES',
    'table:BatchGetItem:NAMES',
    'table:BatchGetItem:ACCOUNT',
    'transaction:PutItem:NAMES:rotate',
    'transaction:PutItem:TOKEN:create',
    'transaction:ConditionCheckItem:TOKEN:end',
    'transaction:PutItem:EXPIRING',
    'transaction:UpdateItem:TOKEN:overlap',
    'transaction:DeleteItem:TOKEN:end',
    'transaction:UpdateItem:ACCOUNT:token',
    'transaction:UpdateItem:ACCOUNT:former-name',
    'transaction:ConditionCheckItem:ACCOUNT:session-guard',
    PUBLISHING,
  ],
  title: 'Token Rotated',
  failures: [
    'account_cancelled',
    'idempotency_key_reused',
    'token_deleted',
    'token_not_found',
    'token_rotated',
  ],
  params: () => z.object({ token_name: tokenName(), username: username() }),
  requestHeaders: idempotencyKey,
  body: () => z.strictObject({ overlap_minutes: z.optional(wholeNumber(0, MAX_OVERLAP)) }),
  bodyKind: 'json-or-none',
  response: createdTokenSchema,
} as const satisfies Contract;

export const revoke = {
  id: 'token.revoke',
  summary: 'Delete all tokens of an account',
  method: 'POST',
  path: '/api/core/token/revoke/{username}',
  access: { role: 'sys_administrator', orSelf: 'path' },
  accounts: ['username'],
  needs: [TOKEN_DELETION, 'table:Query:ACCOUNT', 'table:Query:NAMES', PUBLISHING],
  title: 'Tokens Revoked',
  repeatable: true,
  params: () => z.object({ username: username() }),
  response: () => z.strictObject({ username: z.string(), revoked: z.int().check(z.nonnegative()) }),
} as const satisfies Contract;
