import * as z from 'zod/mini';
import type { TokenItem } from '../item/token.ts';
import type { SchemaTexts } from '../texts.ts';
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

export const tokenTexts = {
  name: 'Token',
  schema: tokenRecordSchema,
  fields: {
    username: 'Owner of the token',
    userid: 'ID of the owner’s account',
    loginprovider: 'Purpose of the token: `api`',
    name: 'Name of the token, unique within its account',
    value: 'Always null in listings: only the response that creates a token contains its secret',
    token_created_at: 'Time of creation, or of the last rotation (UTC, no zone designator)',
    token_used_at:
      'Time of the last use (UTC, no zone designator), at most a minute late; the time of creation if the token was never used',
    token_created_by:
      'Username of the creator, or of the last account other than the owner that rotated the token; `operator:<user>` for a command',
    token_expires_at:
      'End of the token (UTC, no zone designator), from which it is refused; null if it has none',
    token_last4: 'Last four characters of the secret; null for tokens of earlier versions',
    token_description: 'Purpose of the token; null if none was given',
    token_access: 'Permitted requests: `full`, or `read` for GET only, logout excepted',
    token_roles: 'The only roles of the account that count for the token; null if all of them do',
    token_addresses: 'Source addresses that may use the token, as addresses or CIDR blocks; null for all',
  },
} as const satisfies SchemaTexts;

export type TokenRecord = z.output<ReturnType<typeof tokenRecordSchema>>;

/** The tokens of one account. */
export const tokenListSchema = () => z.strictObject({ items: z.array(tokenRecordSchema()) });

export const tokenListTexts = {
  name: 'TokenList',
  parts: [tokenTexts],
} as const satisfies SchemaTexts;

/** A token in the answer to its creation, with its secret. */
export const createdTokenSchema = () => z.extend(tokenRecordSchema(), { value: z.string() });

export const createdTokenTexts = {
  name: 'CreatedToken',
  parts: [tokenTexts],
  fields: { value: 'Secret of the token, shown only once: the service stores only its hash' },
} as const satisfies SchemaTexts;

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
