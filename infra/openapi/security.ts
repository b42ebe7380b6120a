import { type Access, type Contract, mayLackCredential, type StepUp } from '#lib/contract/contract';
import { listedBy } from '../step-up.ts';
import type { Json } from './schemas.ts';
import { FIGURES } from './texts/figures.ts';

export const securitySchemes: Readonly<Record<string, Json>> = {
  session: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'Session token from a login or from `oauth/token`: `Authorization: Bearer <session token>`. Tokens for other services are refused',
  },
  token: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description:
      'API token: `Authorization: Token <API token>`, including the word `Token`. In the form: untick `session`, tick `token`, and append it to `Token ` in the value',
  },
  basic: {
    type: 'http',
    scheme: 'basic',
    description: 'Username `api` with an API token as the password; passwords of accounts are not accepted',
  },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'ptoken',
    description:
      'Session token in the cookie that a login with `createCookie` sets. In the form: untick all credentials, and the browser sends the cookie. Pages of other sites cannot change state with it (403)',
  },
  query: {
    type: 'apiKey',
    in: 'query',
    name: 'ptoken',
    description:
      '`api:<API token>` or `<session token>`. Query strings end up in proxy logs, so use it on private networks only. `Settings:AllowQueryToken` disables it',
  },
};

/** Every operation accepts all five. It names these two, so that no generated client puts a secret into a URL. */
const NAMED = ['session', 'token'] as const;

export const securityOf = (access: Access): Json[] =>
  access === 'public'
    ? []
    : [...NAMED.map((name) => ({ [name]: [] })), ...(mayLackCredential(access) ? [{}] : [])];

/** The access to an operation, in sentences. */
export const accessText = ({
  access,
  ownBy,
  stepUp,
}: Pick<Contract, 'access' | 'ownBy' | 'stepUp'>): string =>
  [
    accountText(access),
    ...(ownBy === 'session' ? [OWN_SESSION] : []),
    ...(stepUp ? [stepUpText(stepUp)] : []),
  ].join(' ');

const OWN_SESSION =
  'Your own account requires a session that no API token has begun: others are refused (403 `forbidden`).';

function accountText(access: Access): string {
  if (access === 'public') return 'Public: requires no credential.';
  if (access === 'authenticated') return 'Requires any active account.';
  if (access === 'optional') return 'Requires no credential; one that is sent must be valid.';
  if (access === 'authenticated-or-code')
    return 'Requires any active account, or in place of a credential a one-time code in the body.';
  const own = access.orSelf ? ', except for your own account' : '';
  return `Requires the role \`${access.role}\`${own}.`;
}

const stepUpText = (stepUp: StepUp) =>
  `\`Settings:SecondFactor\` decides who needs a session that a passkey has confirmed in the last ${FIGURES['assertion-age']}, for ${listedBy(stepUp)}.`;
