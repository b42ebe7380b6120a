import * as z from 'zod/mini';
import type { TokenItem } from '../item/token.ts';
import { withoutZone } from '../time.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Name of a token, unique in its account. */
export const tokenName = () =>
  z.string().check(z.regex(NAME, 'Must be 1 to 128 letters, digits or . _ -, the first a letter or digit'));

/** Name of the token that its owner can create and replace. */
export const LOGIN_TOKEN = 'logintoken';

export const tokenAccess = () => z.enum(['full', 'read']);

/** A token in a listing, without its secret, which cannot be read again. */
export const tokenRecordSchema = () =>
  z.strictObject({
    username: z.string(),
    userid: z.nullable(z.string()),
    loginprovider: z.nullable(z.string()),
    name: z.string(),
    value: z.null(),
    token_created_at: z.string(),
    token_used_at: z.string(),
    token_created_by: z.string(),
    token_expires_at: z.nullable(z.string()),
    token_last4: z.nullable(z.string()),
    token_description: z.nullable(z.string()),
    token_access: tokenAccess(),
    token_roles: z.nullable(z.array(z.string())),
    token_addresses: z.nullable(z.array(z.string())),
  });

export type TokenRecord = z.output<ReturnType<typeof tokenRecordSchema>>;

export const tokenListSchema = () => z.strictObject({ items: z.array(tokenRecordSchema()) });

/** A token in the answer to its creation, with its secret. */
export const createdTokenSchema = () => z.extend(tokenRecordSchema(), { value: z.string() });

export type CreatedToken = z.output<ReturnType<typeof createdTokenSchema>>;

/** A token as listings show it. */
export const tokenRecord = (item: TokenItem): TokenRecord => ({
  username: item.username,
  userid: item.userid,
  loginprovider: 'api',
  name: item.name,
  value: null,
  token_created_at: item.token_created_at,
  token_used_at: item.token_used_at ?? item.token_created_at,
  token_created_by: item.token_created_by,
  token_expires_at: item.expires_at === undefined ? null : withoutZone(item.expires_at),
  token_last4: item.last4 ?? null,
  token_description: item.description ?? null,
  token_access: item.access ?? 'full',
  token_roles: item.roles ? [...item.roles] : null,
  token_addresses: item.addresses ? [...item.addresses] : null,
});

/** A token as the answer to its creation shows it. @param secret the only copy */
export const createdToken = (item: TokenItem, secret: string): CreatedToken => ({
  ...tokenRecord(item),
  value: secret,
});
