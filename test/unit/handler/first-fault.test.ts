import { expect, test, vi } from 'vitest';
import type { Contract, Method } from '#lib/contract/contract';
import type { FieldError } from '#lib/failure/codes';
import { Failure } from '#lib/failure/failure';
import { endpoint } from '#lib/handler/endpoint';
import { MAX_BODY_BYTES } from '#lib/http/body';
import { stepUp } from '#lib/http/step-up';
import { idempotencyKey } from '#lib/idempotency/key';
import { settingVariable } from '#lib/instance/settings';
import type { Account } from '#lib/item/account';
import type { CredentialLimits } from '#lib/item/token';
import { contracts } from '#lib/routes';
import { createToken } from '#lib/token/create';
import { partsOf } from '../../integration/requests.ts';
import { call, createSigningKey, openEndpoints } from '../support/endpoints.ts';
import { by } from '../support/engine.ts';
import { logLines } from '../support/log-lines.ts';

logLines();
const { table, runtime, account, session } = await openEndpoints();
vi.stubEnv(settingVariable('SecondFactor'), 'administrators');
const key = await createSigningKey(table);
const ROLES = ['sys_administrator', 'sys_tokens', 'sys_introspection'];
const target = await account();
const [official, layman] = [await account({ roles: ROLES }), await account()];

/** A request in its parts. */
interface Draft {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  /** Undefined sends no credential. */
  readonly caller: Account | undefined;
  readonly limits: CredentialLimits;
  /** Whether a session presents the caller: an API token needs no step-up. */
  readonly bySession?: boolean;
}

/** A fault, the endpoints where a request can have it, and the answer when it is the first. */
interface Fault {
  readonly what: string;
  readonly answer: string;
  readonly isPossible: (contract: Contract) => boolean;
  readonly spoil: (draft: Draft, contract: Contract) => Partial<Draft>;
}

const isClosed = ({ access }: Contract) => access !== 'public';
const isChange = ({ method, unsafe }: Contract) => method !== 'GET' || unsafe === true;
const needsRole = ({ access }: Contract) => typeof access === 'object';
const isTargetInBody = ({ access }: Contract) => typeof access === 'object' && access.orSelf === 'body';
const hasJson = ({ body, bodyKind }: Contract) => body !== undefined && bodyKind !== 'form';
/** A ping echoes every query and body. */
const isStrict = ({ id }: Contract) => id !== 'system.ping';
/** Whether it takes only sessions, since it is always about the caller. */
const isOfOwnSession = ({ ownBy, path }: Contract) => ownBy === 'session' && !path.includes('username');
const isRepeatable = ({ requestHeaders }: Contract) => requestHeaders === idempotencyKey;

const CREDENTIAL: Fault[] = [
  {
    what: 'no credential',
    answer: 'unauthenticated',
    isPossible: (contract) => isClosed(contract) && contract.access !== 'optional',
    spoil: () => ({ caller: undefined }),
  },
  {
    what: 'a credential that may only read',
    answer: 'forbidden access',
    isPossible: (contract) => isClosed(contract) && isChange(contract) && !contract.endsReaders,
    spoil: ({ limits }) => ({ limits: { ...limits, access: 'read' } }),
  },
];
const ROLE: Fault[] = [
  {
    what: 'a credential limited to no role',
    answer: 'forbidden role',
    isPossible: needsRole,
    spoil: ({ limits }) => ({ limits: { ...limits, roles: [] } }),
  },
  {
    what: 'an account without the role',
    answer: 'forbidden role',
    isPossible: needsRole,
    spoil: () => ({ caller: layman }),
  },
];
const OWN: Fault[] = [
  {
    what: 'an API token for the account of its owner',
    answer: 'forbidden credential',
    isPossible: (contract) => isOfOwnSession(contract),
    spoil: () => ({ bySession: false }),
  },
];
const SHAPE: Fault[] = [
  {
    what: 'a large body',
    answer: 'payload_too_large',
    isPossible: hasJson,
    spoil: (_, { maxBodyBytes = MAX_BODY_BYTES }) => ({ body: '{'.padEnd(maxBodyBytes + 1, 'x') }),
  },
  {
    what: 'another content type',
    answer: 'unsupported_media_type content-type',
    isPossible: ({ body }) => body !== undefined,
    spoil: ({ headers, body = '{' }) => ({ headers: { ...headers, 'content-type': 'text/plain' }, body }),
  },
  {
    what: 'malformed JSON',
    answer: 'invalid_request body',
    isPossible: hasJson,
    spoil: () => ({ body: '{' }),
  },
  {
    what: 'a body without effect',
    answer: 'invalid_request body',
    isPossible: ({ body }) => body === undefined,
    spoil: () => ({ body: '{"surprise":1}' }),
  },
  {
    what: 'an impossible name in the path',
    answer: 'invalid_request <parameter>',
    isPossible: ({ params }) => params !== undefined,
    spoil: ({ path }) => ({ path: { ...path, [firstOf(path)]: 'no\nname' } }),
  },
  {
    what: 'an unknown parameter',
    answer: 'invalid_request queried',
    isPossible: isStrict,
    spoil: ({ query }) => ({ query: { ...query, queried: '1' } }),
  },
  {
    what: 'an impossible Idempotency-Key',
    answer: 'invalid_request idempotency-key',
    isPossible: isRepeatable,
    spoil: ({ headers }) => ({ headers: { ...headers, 'idempotency-key': 'two words' } }),
  },
  {
    what: 'an unknown property',
    answer: 'invalid_request surprise',
    // The token endpoint ignores properties that it does not know (RFC 6749 section 3.2).
    isPossible: (contract) =>
      contract.body !== undefined && isStrict(contract) && contract.errors !== 'oauth',
    spoil: ({ body = '{}' }, { bodyKind }) => ({
      body: bodyKind === 'form' ? `${body}&surprise=1` : JSON.stringify({ ...JSON.parse(body), surprise: 1 }),
    }),
  },
];
const STEP_UP: Fault[] = [
  {
    what: 'a session without a passkey',
    answer: 'step_up_required passkey',
    isPossible: (contract) => contract.stepUp !== undefined,
    spoil: () => ({ bySession: true }),
  },
];
const EXISTENCE: Fault[] = [
  {
    what: 'an unknown account',
    answer: 'account_not_found',
    // The rule answers for those that need not exist.
    isPossible: ({ accounts, accountsMayBeGone }) => accounts !== undefined && !accountsMayBeGone,
    spoil: ({ path }, { accounts: [name = ''] = [] }) => ({ path: { ...path, [name]: 'no-such-account' } }),
  },
];
/** The rule of every endpoint refuses the state of its target. */
const STATE = 'account_cancelled';

const firstOf = (path: Draft['path']) => Object.keys(path)[0] ?? '';

/** The possible faults of an endpoint in the order of checks: the shape comes before the role of a target in it. */
const faultsOf = (contract: Contract) =>
  [
    ...CREDENTIAL,
    ...(isTargetInBody(contract) ? [...SHAPE, ...ROLE] : [...ROLE, ...OWN, ...SHAPE]),
    ...STEP_UP,
    ...EXISTENCE,
  ].filter(({ isPossible }) => isPossible(contract));

/** The request of an administrator that only its state refuses. */
function validDraft(contract: Contract): Draft {
  const { id, bodyKind } = contract;
  const names = { username: target.username, password: 'x', source: official.username };
  const { params, query, json, form } = partsOf(id, names);
  const type = bodyKind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    ...{ path: params, query, headers: { 'content-type': type } },
    body: form ? `${new URLSearchParams(form)}` : json === undefined ? undefined : JSON.stringify(json),
    ...{ caller: official, limits: {}, bySession: isOfOwnSession(contract) },
  };
}

const tokens = new Map<string, string>();
/** The token of an account with limits, created at its first use. */
async function tokenOf(owner: Account, limits: CredentialLimits) {
  const name = `t${Object.keys(limits).join('-')}`;
  const key = `${owner.username} ${name}`;
  const value = tokens.get(key) ?? (await createToken(runtime, owner, name, by('test'), limits)).value;
  tokens.set(key, value);
  return value;
}

/** Documents take no input. */
const ENDPOINTS = contracts.filter(({ id }) => !/^(docs|admin)\./.test(id));

// Each request has all faults from one on, so any two that change places show.
test.each(ENDPOINTS)('$id answers the first fault of a request, whatever faults follow', async (contract) => {
  const rule = () => {
    throw new Failure(STATE);
  };
  const { stepUp: listed, ...others } = contract;
  const handler = listed
    ? endpoint({ ...others, stepUp: listed, needs: [] }, rule, { stepUp })
    : endpoint({ ...others, needs: [] }, rule);
  const method = [contract.method].flat().at(-1) as Method;
  const answerTo = async ({ path, query, headers, body, caller, limits, bySession }: Draft) => {
    const credentialOf = async (owner: Account) =>
      bySession
        ? `Bearer ${await session(owner, key, Date.now(), { limits })}`
        : `Token ${await tokenOf(owner, limits)}`;
    const authorization = caller && isClosed(contract) && (await credentialOf(caller));
    const { payload } = await call(handler, {
      ...{ method, pathParameters: path, queryStringParameters: query },
      headers: { ...headers, ...(authorization && { authorization }) },
      ...(body === undefined ? {} : { body }),
    });
    const { code, errors = [] } = (payload as { data: { code: string; errors?: FieldError[] } }).data;
    return [code, ...errors.map(({ field }) => field)].join(' ');
  };

  const valid = validDraft(contract);
  const faults = faultsOf(contract);
  const answers: Record<string, string> = { 'no fault but its state': await answerTo(valid) };
  for (const [first, { what }] of faults.entries()) {
    const spoil = (draft: Draft, fault: Fault) => ({ ...draft, ...fault.spoil(draft, contract) });
    // The first fault comes last: what it changes stays.
    answers[what] = await answerTo(faults.slice(first).reduceRight(spoil, valid));
  }
  const expected = faults.map(({ what, answer }) => [
    what,
    answer.replace('<parameter>', firstOf(valid.path)),
  ]);
  expect(answers).toEqual({ 'no fault but its state': STATE, ...Object.fromEntries(expected) });
});
