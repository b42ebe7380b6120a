import { readdirSync, readFileSync } from 'node:fs';
import { contract as page } from '#lib/admin-page/page.contract';
import type { Method } from '#lib/contract/contract';
import { contract as script } from '#lib/docs/script.contract';
import { GRANT_TYPES, TOKEN_TYPES } from '#lib/oauth/grant-types';
import { contracts, routesOf } from '#lib/routes';
import { generateApiToken } from '#lib/token/secret';
import { bundleFile, bundleFolder } from '../../infra/bundle.ts';
import { sessionIdOf } from '../unit/support/items.ts';
import { ORDERS } from './resources.ts';

/** The accounts of a request. */
export interface Names {
  readonly username: string;
  /** Password of that account, or an API token if the username is `api`. */
  readonly password?: string;
  /** The account whose roles and teams are copied, and the owner of a machine; the first administrator by default. */
  readonly source?: string;
  /** The credential in the body of a request; by default, a token that does not exist. */
  readonly presented?: string;
}

/**
 * A request of an endpoint that succeeds, as plain data, without method and path. Its account needs a stored session.
 */
export interface Sample {
  /** Distinguishes it from the first one of its endpoint. */
  readonly name?: string;
  /** The caller itself is the subject: no role is needed, and an optional segment of the path is absent. */
  readonly own?: true;
  /** Requests of an administrator about the same account, without which this one changes nothing or fails. */
  readonly before?: readonly (Sample & { readonly id: string })[];
  /** The first one of the contract by default. */
  readonly method?: Method;
  /** Parameters of the path other than {@link PARAMETERS}. */
  readonly params?: Readonly<Record<string, string | ((names: Names) => string)>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: (names: Names) => unknown;
  /** Kind of the credential in the body, of the same account; that of a device is the JSON of its answer. */
  readonly presents?: 'token' | 'session' | 'creation' | 'assertion';
  /** The account needs a stored passkey, or is a machine. */
  readonly holds?: 'passkey' | 'kind';
}

/** Parameters of paths, by name. */
const PARAMETERS: Readonly<Record<string, (names: Names) => string>> = {
  username: ({ username }) => username,
  target_username: ({ username }) => username,
  source_username: ({ source = 'admin' }) => source,
  app_name: () => 'core',
  session_id: ({ username }) => sessionIdOf(username),
  token_name: () => 'laptop',
  passkey_name: () => 'phone',
  trust_name: () => 'deploy',
  script: () => scriptName(),
  file: () => adminScriptName(),
};

/** The script of the documentation has its name in the page. */
const scriptName = () =>
  readdirSync(bundleFolder(script.id))
    .find((name) => name.endsWith('.gz'))
    ?.replace(/gz$/, 'js') as string;

/** Likewise the script of the administrator's page. */
const adminScriptName = () => /page-\w+\.js/.exec(readFileSync(bundleFile(page.id), 'utf8'))?.[0] as string;

/** A password that no account has. */
export const NEW_PASSWORD = 'a new one for the sample';

const lock = { id: 'account.lock' };
const cancel = { id: 'account.cancel' };
const createFirst = { id: 'token.create', params: { token_name: 'first' } };
const deleteFirst = { params: { token_name: 'first' }, before: [createFirst] };
const markdown = { body: () => ({ painput: '# Hello\n\n*World*' }) };
const UNKNOWN = generateApiToken(() => new Uint8Array(30));
const presenting = {
  presents: 'token',
  body: ({ presented = UNKNOWN }: Names) => ({ token: presented }),
} as const;
const presentingSession = { ...presenting, name: 'session', presents: 'session' } as const;
/** A short name of a team that no other test creates. */
const teamFor = ({ username }: Names) => `ops-${username.slice(-27)}`;
const otherFor = (names: Names) => `${teamFor(names)}2`;
const newTeam = { params: { short: teamFor }, body: () => ({ name: 'Operations', type: 'internal' }) };
const echo = { query: { page: '1' }, body: () => ({ answer: 42 }) };

/** What no device answers. */
const NO_DEVICE = JSON.stringify({
  ...{ id: 'x', rawId: 'x', type: 'public-key' },
  response: { clientDataJSON: 'x', attestationObject: 'x', authenticatorData: 'x', signature: 'x' },
});
const answering = {
  holds: 'passkey',
  // Requests of all endpoints present a token.
  body: ({ presented = '' }: Names) => ({
    credential: JSON.parse(presented.startsWith('{') ? presented : NO_DEVICE) as object,
  }),
} as const;

/** Whether only a device can make a request succeed: passkeys.test.ts sends it. */
export const needsDevice = ({ id }: { readonly id: string }) =>
  samplesOf(id).some(({ presents = '' }) => ['creation', 'assertion'].includes(presents));

const newTrust = {
  holds: 'kind',
  body: () => ({
    issuer: 'github',
    subject: 'repo:acme/shop:environment:production',
    claims: { repository_id: '123456789' },
    max_minutes: 10,
  }),
} as const;
const createTrust = { id: 'trust.create', ...newTrust };

/** Requests that succeed, by the id of the contract; an endpoint that takes its path only needs no entry. */
const SAMPLES: Readonly<Record<string, readonly [Sample, ...Sample[]]>> = {
  'account.access': [
    {
      before: [{ id: 'team.create', ...newTeam }],
      body: (names) => ({
        add: { roles: ['auditor'], teams: [teamFor(names)] },
        remove: { roles: ['editor'] },
      }),
    },
    { name: 'into a machine', body: ({ source = 'admin' }) => ({ kind: 'machine', owner: source }) },
  ],
  'account.browse': [{ query: { limit: '2' } }, { name: 'by username', query: { username: 'admin' } }],
  'account.context': [{}, { name: 'own', own: true }],
  'account.create': [
    { body: ({ username }) => ({ username: `new.${username}`, user_first_name: 'Ada', roles: ['editor'] }) },
    {
      name: 'with an invitation',
      body: ({ username }) => ({
        username: `invited.${username}`,
        user_properties: { root: { desk: '4.12' } },
        invite_hours: 24,
      }),
    },
  ],
  'account.erase': [{ before: [cancel] }],
  'account.lock': [
    { name: 'with an end', body: () => ({ reason: 'Lost laptop', until: '2099-01-01T00:00:00Z' }) },
    {},
  ],
  'account.login': [{ body: ({ username, password }) => ({ username, password }) }],
  'account.password': [
    { own: true, body: ({ password }) => ({ current_password: password, new_password: NEW_PASSWORD }) },
  ],
  'account.passkey-assert': [{ ...answering, presents: 'assertion' }],
  'account.passkey-create': [{ body: answering.body, presents: 'creation', own: true }],
  'account.passkey-delete': [{ holds: 'passkey' }, { name: 'own', own: true, holds: 'passkey' }],
  'account.passkey-options': [{ body: () => ({ purpose: 'assert' }) }],
  'account.passkeys': [{ holds: 'passkey' }, { name: 'own', own: true }],
  'account.profile': [{}, { name: 'own', own: true }],
  'account.profile-update': [
    { body: ({ username }) => ({ username, user_color: '#0B3D91' }) },
    { name: 'own', own: true, body: () => ({ user_color: '#0B3D91' }) },
    { name: 'own properties', own: true, body: () => ({ user_properties: { root: { desk: '4.12' } } }) },
  ],
  'account.reactivate': [
    { before: [cancel] },
    { name: 'without tokens', before: [cancel], body: () => ({ revoke_tokens: true }) },
  ],
  'account.end-session': [{}, { name: 'own', own: true }],
  'account.export': [{}, { name: 'own', own: true }],
  'account.sessions': [{}, { name: 'own', own: true }],
  'account.unlock': [{ before: [lock] }, { name: 'not locked' }],
  'audit.browse': [
    { query: { limit: '2', target: 'admin' } },
    { name: 'of every target', query: { limit: '2' } },
    { name: 'with names', query: { limit: '2', target: 'admin', names: 'true' } },
  ],
  'oauth.introspect': [presenting, presentingSession],
  'oauth.revoke': [presenting, presentingSession],
  'oauth.token': [
    {
      presents: 'token',
      body: ({ presented = UNKNOWN }) => ({
        grant_type: 'client_credentials',
        client_id: 'nightly',
        client_secret: presented,
      }),
    },
    {
      name: 'by an API token for another service',
      presents: 'token',
      body: ({ presented = UNKNOWN }) => ({
        grant_type: 'client_credentials',
        client_secret: presented,
        resource: ORDERS,
      }),
    },
    {
      name: 'by a session for another service',
      presents: 'session',
      body: ({ presented = UNKNOWN }) => ({
        grant_type: GRANT_TYPES.exchange,
        subject_token: presented,
        subject_token_type: TOKEN_TYPES.access,
        resource: ORDERS,
      }),
    },
  ],
  'event.pending': [{ query: { limit: '2' } }],
  'system.info': [{ query: { setup: 'true' } }],
  'system.ping': [
    { ...echo, method: 'POST' },
    { name: 'GET', query: echo.query, method: 'GET' },
    ...(['PUT', 'PATCH', 'DELETE'] as const).map((method) => ({ name: method, ...echo, method })),
  ],
  'system.preview': [markdown, { name: 'JSON', ...markdown, headers: { accept: 'application/json' } }],
  'system.uuids': [{ query: { n: '3' } }],
  'team.browse': [{ query: { limit: '2' } }],
  'team.create': [newTeam],
  'team.delete': [
    {
      params: { short: teamFor },
      before: [
        { id: 'team.create', ...newTeam },
        { id: 'team.create', ...newTeam, params: { short: otherFor } },
      ],
      body: (names) => ({ to: otherFor(names) }),
    },
  ],
  'team.rename': [
    {
      params: { short: teamFor },
      before: [{ id: 'team.create', ...newTeam }],
      body: () => ({ name: 'Support' }),
    },
  ],
  'token.browse': [
    { query: { limit: '2' }, before: [createFirst] },
    { name: 'of a creator', query: { created_by: 'admin' }, before: [createFirst] },
  ],
  'token.create': [
    {},
    {
      // The form of the documentation page contains it: its token works from every address.
      name: 'with an end',
      params: { token_name: 'nightly' },
      body: () => ({ expires_in_days: 90, description: 'Nightly export' }),
    },
  ],
  'token.create-login-token': [
    {},
    // The form of the documentation page contains it.
    { name: 'with a purpose', body: () => ({ description: 'Documentation page' }) },
  ],
  // The caller may have tokens of other requests.
  'token.create-own': [{ params: { token_name: ({ username }) => `for-${username}` } }],
  'token.delete': [deleteFirst, { name: 'own', own: true, ...deleteFirst }],
  'token.list-user': [{ before: [createFirst] }],
  'token.rotate': [
    deleteFirst,
    { name: 'with overlap', ...deleteFirst, body: () => ({ overlap_minutes: 60 }) },
  ],
  'token.revoke': [{ before: [createFirst] }],
  'trust.browse': [
    { holds: 'kind', query: { limit: '2' }, before: [createTrust] },
    {
      name: 'of a machine',
      holds: 'kind',
      query: { username: 'bot' },
    },
    { name: 'of an issuer', holds: 'kind', query: { issuer: 'github' }, before: [createTrust] },
  ],
  'trust.create': [newTrust],
  'trust.delete': [{ holds: 'kind', before: [createTrust] }],
};

const BARE: readonly [Sample] = [{}];

/** The requests of an endpoint that succeed; the first is the usual one. */
export const samplesOf = (id: string): readonly [Sample, ...Sample[]] => SAMPLES[id] ?? BARE;

/** A request of an endpoint, its parts apart, as a handler receives them. */
export function partsOf(id: string, names: Names, sample: Sample = samplesOf(id)[0]) {
  const contract = contracts.find((each) => each.id === id);
  if (!contract) throw new Error(`There is no endpoint ${id}`);
  const { method = [contract.method].flat()[0] as Method, own, params = {}, query = {}, headers } = sample;
  const route = routesOf(contract).filter((each) => each.method === method)[
    !own && contract.path.endsWith('?}') ? 1 : 0
  ];
  if (!route) throw new Error(`${id} has no ${method}`);
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const given = params[name] ?? PARAMETERS[name];
    const value = typeof given === 'function' ? given(names) : given;
    if (value === undefined)
      throw new Error(`test/integration/requests.ts has no value for ${name} of ${id}`);
    return [name, value] as const;
  });
  const body = sample.body?.(names);
  const content: Pick<Content, 'json' | 'form'> =
    contract.bodyKind === 'form' ? { form: body as Record<string, string> } : { json: body };
  return {
    route,
    params: Object.fromEntries(inPath),
    query,
    ...(body === undefined ? {} : content),
    ...(headers ? { headers } : {}),
  };
}

/** Parts of a request in addition to the method and the path. */
export type Content = {
  readonly json?: unknown;
  /** Sent as a form. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
};
export type Request = readonly [method: string, path: string, content: Content];

/** A request of an endpoint that succeeds when an administrator sends it, once its {@link preparationOf} was sent. */
export function requestOf(id: string, names: Names, sample?: Sample): Request {
  const { route, params, query, ...content } = partsOf(id, names, sample);
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] as string);
  const search = new URLSearchParams(query).toString();
  return [route.method, search ? `${path}?${search}` : path, content];
}

/** The requests of an administrator that have to come before. */
export const preparationOf = (id: string, names: Names, sample: Sample = samplesOf(id)[0]): Request[] =>
  (sample.before ?? []).map((each) => requestOf(each.id, names, each));
