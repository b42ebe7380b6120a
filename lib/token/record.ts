import * as z from 'zod/mini';
import type { TokenItem } from '../item/token.ts';

/** The name of a token; unique in its account. */
export const tokenName = () =>
  z
    .string()
    .check(
      z.regex(
        /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
        'Must be 1 to 128 letters, digits or . _ -, the first a letter or digit',
      ),
    );

/** The name of the token that its owner may make again and again. */
export const LOGIN_TOKEN = 'logintoken';

/** A token as it is listed. */
export const tokenRecordSchema = () =>
  z.strictObject({
    username: z.string(),
    userid: z.nullable(z.string()),
    loginprovider: z.nullable(z.string()),
    name: z.string(),
    value: z.nullable(z.string()),
    token_created_at: z.string(),
    token_used_at: z.string(),
    token_created_by: z.string(),
  });

export type TokenRecord = z.output<ReturnType<typeof tokenRecordSchema>>;

/** A token as it is listed; `secret` is given once only, by the answer that creates it. */
export const tokenRecord = (item: TokenItem, secret: string | null = null): TokenRecord => ({
  username: item.username,
  userid: item.userid,
  loginprovider: 'api',
  name: item.name,
  value: secret,
  token_created_at: item.token_created_at,
  token_used_at: item.token_used_at ?? item.token_created_at,
  token_created_by: item.token_created_by,
});
