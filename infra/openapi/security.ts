import type { Access } from '#lib/contract/contract';
import type { Json } from './schemas.ts';

/** Every way to present a credential. */
export const securitySchemes: Readonly<Record<string, Json>> = {
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The session token that a login answers: `Authorization: Bearer <session token>`',
  },
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      'An API token: `Authorization: Token <API token>`, the word `Token` included. In the form: untick `session`, tick `token`, and type it behind `Token ` in the value',
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'The user `api`, and an API token as the password; no other user has one here',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'ptoken',
    description:
      'The session token, as a login with `createCookie` sets it. In the form: untick every way, and the browser sends it. What changes state is refused (403) to pages of other sites',
  },
  query: {
    type: 'apiKey',
    in: 'query',
    name: 'ptoken',
    description:
      '`api:<API token>` or `<session token>`. It ends up in logs on the way: for closed networks only, and `Settings:AllowQueryToken` turns it off',
  },
};

/** Every operation takes all five; those two are told, so that no generated client puts a secret into a URL. */
const TOLD = ['session', 'token'] as const;

export const securityOf = (access: Access): Json[] =>
  access === 'public' ? [] : TOLD.map((name) => ({ [name]: [] }));

/** Who may call, in a sentence. */
export function accessText(access: Access): string {
  if (access === 'public') return 'Anyone may call it, without a credential.';
  if (access === 'authenticated') return 'Any account may call it.';
  const role = `the role \`${access.role}\``;
  return access.orSelf
    ? `For your own account it requires no role, for another ${role}.`
    : `It requires ${role}.`;
}
