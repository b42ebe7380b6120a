import { expect, test } from 'vitest';
import { stillPermitted } from '#lib/account/caller';
import { Answer } from '#lib/contract/answer';
import type { Contract } from '#lib/contract/contract';
import type { GatewayEvent } from '#lib/contract/gateway-event';
import { FAILURES, type FailureCode } from '#lib/failure/codes';
import { Failure } from '#lib/failure/failure';
import { audit } from '#lib/http/audit';
import { MAX_BODY_BYTES } from '#lib/http/body';
import { asAnswer } from '#lib/http/envelope';
import type { RequestContext } from '#lib/http/request';
import { OPEN } from '../support/endpoints.ts';
import { failureOf } from '../support/failure-of.ts';
import { accountItem, uuidOf } from '../support/items.ts';
import { auditLines } from '../support/log-lines.ts';
import { authenticatedAs, requestContext, step } from '../support/request-context.ts';

const lines = auditLines();

const contractOf = (part: object) =>
  ({ ...OPEN, id: 'test.change', audit: { target: 'account', details: DETAILS }, ...part }) as Contract;
const DETAILS = ['session', 'source', 'fields', 'roles_added', 'roles_removed', 'teams_added', 'revoked'];
const role = 'sys_administrator';
const CHANGES = contractOf({ access: { role }, accounts: ['username'] });
const READS = contractOf({ access: { role }, accounts: ['username'], audit: undefined });
const EXPORTS = contractOf({
  access: { role, orSelf: 'path' },
  accounts: ['username'],
  audit: { target: 'account', changes: false },
});
const LISTS = contractOf({ access: { role }, audit: undefined });
const LOGIN = contractOf({ access: 'public' });
const OR_CODE = contractOf({ access: 'authenticated-or-code' });
const BODY = contractOf({ access: { role, orSelf: 'body' } });
const CREATES = contractOf({ access: { role }, creates: 'account' });
const OWN_TOKEN = { ...BODY, tokenName: 'one' } as Contract;

const authenticated = authenticatedAs('Admin');
const guard = stillPermitted(authenticated.caller, undefined, Date.now);
const ADA = accountItem({ username: 'Ada' });

/** The result of each middleware before the audit, and the parts of the event that differ from others. */
interface Part extends Partial<Omit<RequestContext, 'event' | 'answer'>> {
  readonly event?: Partial<GatewayEvent>;
}
const contextOf = ({ event, ...part }: Part) => requestContext({ method: 'POST', ...event }, part);
const refuse = (contract: Contract, part: Part, error: Error) =>
  step(audit(contract), 'onError', contextOf(part), { error });
const answer = (contract: Contract, part: Part, given: unknown) =>
  step(audit(contract), 'after', { ...contextOf(part), answer: asAnswer(given) });
/** A body that the contract permits. */
const read = (body: object) => ({ body, input: { params: {}, query: {}, headers: {}, body } });

test.each(Object.keys(FAILURES) as FailureCode[])(
  'the refusal %s is audited if it decided something, and no success of a read',
  (code) => {
    const { status } = FAILURES[code];
    const unread = ['invalid_request', 'payload_too_large', 'unsupported_media_type'];
    refuse(CHANGES, { authenticated }, failureOf(code));
    expect(lines.map(({ outcome }) => outcome)).toEqual(unread.includes(code) ? [] : [code]);
    lines.length = 0;
    answer(READS, { authenticated }, { items: [] });
    refuse(READS, { authenticated }, failureOf(code));
    expect(lines).toHaveLength(status === 401 || status === 403 ? 1 : 0);
  },
);

test('a refusal of input is audited when a credential was verified before', () => {
  refuse(OR_CODE, {}, failureOf('invalid_request', 'Ada'));
  expect(lines).toMatchObject([{ actor: null, target: 'ada', outcome: 'invalid_request', changed: false }]);
});

test('a line has the actor, credential, action, target, outcome, change, details, source and request', () => {
  const given = { authenticated: authenticatedAs('Admin', { credential: 'Laptop' }), accounts: [ADA], guard };
  answer(CHANGES, given, { username: 'Ada', changed: true });
  expect(lines).toStrictEqual([
    {
      level: 'audit',
      actor: 'admin',
      credential: 'Laptop',
      action: 'test.change',
      target: 'ada',
      outcome: 'ok',
      changed: true,
      details: null,
      source: '192.0.2.1',
      requestId: 'request-1',
    },
  ]);
});

test('a change whose answer fails has one line', () => {
  const middleware = audit(CHANGES);
  const context = { ...contextOf({ authenticated }), answer: asAnswer({}) };
  step(middleware, 'after', context);
  step(middleware, 'onError', context, { error: new Error('too late') });
  expect(lines.map(({ outcome }) => outcome)).toEqual(['ok']);
});

test.each<[string, data: object, boolean, body?: object]>([
  ['by default', {}, true],
  ['unless the answer denies it', { changed: false }, false],
  ['unless a profile has no field', {}, false, {}],
  ['unless a profile has its username only', {}, false, { username: 'ada' }],
  ['when a profile has a field', {}, true, { username: 'ada', user_short: 'A' }],
])('a line reports a change %s', (_title, data, changed, body) => {
  for (const response of [data, new Answer(data), new Answer(data, { changed: false })])
    answer(body ? BODY : CHANGES, { authenticated, ...(body && read(body)) }, response);
  expect(lines.map((line) => line['changed'])).toEqual([changed, changed, false]);
});

test.each<[string, Error, boolean | null]>([
  ['as unknown after a bug', new Error('x'), null],
  ['as unknown after an outage', new Failure('unavailable'), null],
  ['as none after a refusal', new Failure('forbidden'), false],
])('a line reports a change %s', (_title, error, changed) => {
  refuse(CHANGES, { authenticated }, error);
  expect(lines[0]?.['changed']).toBe(changed);
});

test('a line of a read reports no change: of a success, with all that was read, a refusal, a bug', () => {
  answer(EXPORTS, { authenticated, guard, accounts: [ADA] }, { username: 'Eve', changed: true });
  refuse(EXPORTS, { authenticated, accounts: [ADA], ...path('Ada') }, new Failure('step_up_required'));
  refuse(
    EXPORTS,
    { authenticated, guard, accounts: [undefined], ...path('x') },
    failureOf('account_not_found'),
  );
  refuse(EXPORTS, { authenticated, guard, accounts: [ADA] }, new Error('x'));
  answer(EXPORTS, { authenticated, accounts: [accountItem({ username: 'Admin' })] }, {});
  expect(
    lines.map(({ actor, target, outcome, changed, details }) => [actor, target, outcome, changed, details]),
  ).toEqual([
    ['admin', 'ada', 'ok', false, null],
    ['admin', 'ada', 'step_up_required', false, null],
    ['admin', null, 'account_not_found', false, null],
    ['admin', 'ada', 'internal', false, null],
    ['admin', 'admin', 'ok', false, null],
  ]);
});

const path = (username: string, token_name?: string) => ({
  event: { pathParameters: { username, ...(token_name && { token_name }) } },
});
/** A permitted request about a token of an account that was read. */
const found = (name: string) => ({ authenticated, guard, accounts: [ADA], ...path('ada', name) });
const token = `cst_${'a'.repeat(36)}`;
const text = (body: string) => ({ event: { body } });
const encoded = (text: string) => ({
  event: { body: Buffer.from(text).toString('base64'), isBase64Encoded: true },
});

test.each<[string, Contract, Part, string | null]>([
  ['is the account that was read', CHANGES, { authenticated, accounts: [ADA] }, 'ada'],
  ['is nobody without a caller, whatever the path names', CHANGES, path('Ada', 'Laptop'), null],
  ['is nobody without a caller, whatever the body names', BODY, encoded('{"username":"ada"}'), null],
  ['is no unknown name', CHANGES, { authenticated, accounts: [undefined], ...path('x') }, null],
  [
    'is no unknown name if permitted, which may be of an erased person',
    CHANGES,
    { authenticated, guard, accounts: [undefined], ...path('x') },
    null,
  ],
  ['is a token and its account', CHANGES, found('Laptop'), 'Laptop@ada'],
  ['is no secret in place of the name of a token', CHANGES, found(token), 'ada'],
  ['is no text in place of the name of a token', CHANGES, found('not a name'), 'ada'],
  ['is the team on the path', CHANGES, { authenticated, event: { pathParameters: { short: 'Ops' } } }, 'ops'],
  ['is the token of the contract', OWN_TOKEN, { authenticated }, 'one@admin'],
  ['is the account in the body', BODY, { authenticated, body: { username: 'Ada' } }, 'ada'],
  [
    'is nobody when the body has a token for a name',
    BODY,
    { authenticated, body: { username: token } },
    null,
  ],
  [
    'is a name that only begins like a token',
    BODY,
    { authenticated, body: { username: 'cst_Ada' } },
    'cst_ada',
  ],
  ['is no impossible name', BODY, { authenticated, body: { username: 'not a name' } }, null],
  ['is a token name that only begins like a session', CHANGES, found('eyJohn'), 'eyJohn@ada'],
  ['is the caller when the body has no name', BODY, { authenticated, body: {} }, 'admin'],
  [
    'is the account in a body that was not read',
    BODY,
    { authenticated, ...text('{"username":"Ada"}') },
    'ada',
  ],
  [
    'is the account in a body that was not read, without what surrounds its name unseen',
    BODY,
    { authenticated, ...text('{"username":"\u200bada "}') },
    'ada',
  ],
  ['is the account in an encoded body', BODY, { authenticated, ...encoded('{"username":"ada"}') }, 'ada'],
  [
    'is the caller when a body that was not read has no name',
    BODY,
    { authenticated, ...text('{}') },
    'admin',
  ],
  ['is the caller when there is no body', BODY, { authenticated }, 'admin'],
  [
    'is the caller when the path has no name',
    CHANGES,
    { authenticated, accounts: [authenticated.caller] },
    'admin',
  ],
  ['is the new account, as sent', CREATES, { authenticated, ...text('{"username":"New"}') }, 'new'],
  ['is nobody when a new account has no name', CREATES, { authenticated, ...text('{}') }, null],
  ['is nobody when the body cannot be read', BODY, { authenticated, ...text('{"username":') }, null],
  [
    'is nobody when the body is too long',
    BODY,
    { authenticated, ...text('{}'.padEnd(2 * MAX_BODY_BYTES + 1)) },
    null,
  ],
  ['is nobody when the name is no text', BODY, { authenticated, body: { username: ['ada'] } }, null],
  ['is nobody when the body is no object', BODY, { authenticated, ...text('null') }, null],
  ['is absent for a listing', LISTS, { authenticated }, null],
])('the target of a refusal %s', (_title, contract, part, target) => {
  refuse(contract, part, new Failure('forbidden'));
  expect(lines[0]?.['target']).toBe(target);
  expect(lines[0]?.['account']).toBe(target?.split('@')[1]);
});

test.each<FailureCode>(['account_not_found', 'account_erased'])(
  'a refusal by %s does not have the name in the body, which may be of an erased person',
  (code) => {
    refuse(CREATES, { authenticated, body: { username: 'gone' } }, failureOf(code));
    refuse(BODY, { authenticated, body: { username: 'gone' } }, failureOf(code));
    expect(lines.map(({ actor, target }) => [actor, target])).toEqual([
      ['admin', null],
      ['admin', null],
    ]);
  },
);

const body = { username: 'as-typed', password: 'p' };
const login = () => answer(LOGIN, { body }, new Answer(ADA));
const refused = (contract: Contract, code: FailureCode, about?: string) => () =>
  refuse(contract, { body }, failureOf(code, about));
const source = accountItem({ username: 'Eve' });
const ending = (session_id: string) => ({ authenticated, event: { pathParameters: { session_id } } });
const COPY = { ...CHANGES, accounts: ['source_username', 'target_username'] } as Contract;
const copied = { authenticated, guard, accounts: [source, ADA] };
const named = { event: { pathParameters: { source_username: 'Eve', target_username: 'ada' } } };

test.each<[string, { contract: Contract; part: Part; data: object | undefined; details: object | null }]>([
  [
    'are the source of a copy and its additions',
    {
      contract: COPY,
      part: copied,
      data: new Answer({}, { details: { roles_added: ['r'], teams_added: ['FIN'] } }),
      details: { source: 'eve', roles_added: ['r'], teams_added: ['FIN'] },
    },
  ],
  [
    'are what the answer has for them',
    {
      contract: CHANGES,
      part: { authenticated },
      data: new Answer({}, { details: { roles_removed: ['r'] } }),
      details: { roles_removed: ['r'] },
    },
  ],
  [
    'are fields of the answer that the contract names',
    {
      contract: CHANGES,
      part: { authenticated },
      data: { username: 'ada', revoked: 2 },
      details: { revoked: 2 },
    },
  ],
  [
    'are the source of a refused copy',
    { contract: COPY, part: { ...copied, ...named }, data: undefined, details: { source: 'eve' } },
  ],
  [
    'are absent without a caller, whatever the path names',
    { contract: COPY, part: named, data: undefined, details: null },
  ],
  [
    'are the changed fields of a profile',
    {
      contract: BODY,
      part: { authenticated, ...read({ username: 'ada', user_short: 'A' }) },
      data: {},
      details: { fields: ['user_short'] },
    },
  ],
  [
    'are the session that ends',
    { contract: CHANGES, part: ending(uuidOf(1)), data: {}, details: { session: uuidOf(1) } },
  ],
  [
    'are absent when the ID of a session is a credential',
    { contract: CHANGES, part: ending('cst_a'), data: undefined, details: null },
  ],
  [
    'are absent when text precedes the ID',
    { contract: CHANGES, part: ending(`x${uuidOf(1)}`), data: undefined, details: null },
  ],
  [
    'are absent when text follows the ID',
    { contract: CHANGES, part: ending(`${uuidOf(1)}x`), data: undefined, details: null },
  ],
  [
    'are absent when the body was not read',
    {
      contract: BODY,
      part: { authenticated, ...text('{"user_short":"A"}') },
      data: undefined,
      details: null,
    },
  ],
])('the details %s', (_title, { contract, part, data, details }) => {
  if (data) answer(contract, part, data);
  else refuse(contract, part, new Failure('forbidden'));
  expect(lines.map((line) => line['details'])).toEqual([details]);
});

test.each([[null], ['laptop']])(
  'the details of a login are its session, and its credential is %j',
  (credential) => {
    answer(LOGIN, { body: {} }, new Answer(ADA, { login: { credential, session: 's' } }));
    expect(lines).toMatchObject([{ actor: 'ada', credential, details: { session: 's' } }]);
  },
);

test.each<[string, () => void, string | null, string | null]>([
  ['a login has the account of its answer', login, 'ada', 'ada'],
  ['a refused login has the account it is about', refused(LOGIN, 'invalid_credentials', 'Ada'), null, 'ada'],
  ['a refused login does not have the typed name', refused(LOGIN, 'invalid_credentials'), null, null],
  ['a refused code does not have the typed name', refused(OR_CODE, 'invalid_credentials'), null, null],
  ['a refused code has the account it is about', refused(OR_CODE, 'invalid_credentials', 'Ada'), null, 'ada'],
  [
    'a refused new password has its caller',
    () => refuse(OR_CODE, { authenticated, body }, failureOf('invalid_credentials', 'Ada')),
    'admin',
    'admin',
  ],
])('%s', (_title, act, actor, target) => {
  act();
  expect(lines).toMatchObject([{ actor, target }]);
});

const BATCH = { batch: 'abcdef01-0000-7000-8000-000000000001', batch_size: 30 };
const batched = (headers: Record<string, string> = {}) => ({
  event: { headers: { 'x-batch': 'ABCDEF01-0000-7000-8000-000000000001', 'x-batch-size': '30', ...headers } },
});

test('the details of a success and of a refusal have the batch of the request, and those that they have otherwise', () => {
  const given = { authenticated, guard, accounts: [ADA], ...batched() };
  answer(CHANGES, given, {});
  answer(CHANGES, given, { revoked: 2 });
  refuse(CHANGES, { authenticated, ...batched() }, new Failure('forbidden'));
  refuse(LISTS, { authenticated, ...batched() }, new Failure('forbidden'));
  refuse(CHANGES, { authenticated, ...batched() }, new Error('x'));
  expect(lines.map(({ details }) => details)).toEqual([BATCH, { revoked: 2, ...BATCH }, BATCH, BATCH, BATCH]);
});

test('the details have a batch without its size', () => {
  const headers = { 'x-batch': BATCH.batch };
  answer(CHANGES, { authenticated, guard, accounts: [ADA], event: { headers } }, {});
  expect(lines.map(({ details }) => details)).toEqual([{ batch: BATCH.batch }]);
});

test('the details have no batch without a caller, and no malformed one', () => {
  refuse(LOGIN, batched(), failureOf('invalid_credentials', 'Ada'));
  refuse(LISTS, batched(), failureOf('unauthenticated'));
  refuse(CHANGES, { authenticated, ...batched({ 'x-batch': 'Ada' }) }, new Failure('forbidden'));
  refuse(CHANGES, { authenticated, ...batched({ 'x-batch-size': '0' }) }, new Failure('forbidden'));
  expect(JSON.stringify(lines)).not.toContain('batch');
  expect(lines).toHaveLength(4);
});
