import { describe, expect, test } from 'vitest';
import { Answer } from '#lib/contract/answer';
import type { Contract } from '#lib/contract/contract';
import { FAILURES, Failure, type FailureCode } from '#lib/failure';
import { audit } from '#lib/http/audit';
import { OPEN } from '../support/endpoints.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { auditLines } from '../support/log-lines.ts';

const lines = auditLines();

const contractOf = (part: object) =>
  ({ ...OPEN, id: 'test.change', needs: ['table:UpdateItem:ACCOUNT'], ...part }) as Contract;
const role = 'sys_administrator';
const CHANGES = contractOf({ access: { role }, accounts: ['username'] });
const READS = { ...CHANGES, needs: ['table:Query:ACCOUNT'] } as Contract;
const LISTS = contractOf({ access: { role }, needs: ['table:Query:ACCOUNT'] });
const LOGIN = contractOf({ access: 'public' });
const BODY = contractOf({ access: { role, orSelf: 'body' } });
const OWN_TOKEN = { ...BODY, tokenName: 'one' } as Contract;

const caller = { id: 'id-1', username: 'Admin' };
const guard = { Key: {} };
const ADA = { username: 'Ada' };

type Steps = Record<'after' | 'onError', (request: object) => void>;
const eventOf = (part: object) => ({ ...gatewayEvent({ method: 'POST' }), ...part });
const refuse = (contract: Contract, part: object, error: Error) =>
  (audit(contract) as unknown as Steps).onError({ event: eventOf(part), error });
const answer = (contract: Contract, part: object, response: unknown) =>
  (audit(contract) as unknown as Steps).after({ event: eventOf(part), response });

test.each(Object.keys(FAILURES) as FailureCode[])(
  'the refusal %s is audited if it decided something, and no success of a read',
  (code) => {
    const { status } = FAILURES[code];
    const unread = ['invalid_request', 'payload_too_large', 'unsupported_media_type'];
    refuse(CHANGES, { caller }, new Failure(code));
    expect(lines.map(({ outcome }) => outcome)).toEqual(unread.includes(code) ? [] : [code]);
    lines.length = 0;
    answer(READS, { caller }, { items: [] });
    refuse(READS, { caller }, new Failure(code));
    expect(lines).toHaveLength(status === 401 || status === 403 ? 1 : 0);
  },
);

test('a line has the actor, action, target, outcome, change, source and request', () => {
  answer(CHANGES, { caller, accounts: [ADA], guard }, { username: 'Ada', changed: true });
  expect(lines).toStrictEqual([
    {
      level: 'audit',
      actor: 'admin',
      action: 'test.change',
      target: 'ada',
      outcome: 'ok',
      changed: true,
      source: '192.0.2.1',
      requestId: 'request-1',
    },
  ]);
});

test('a change whose answer fails has one line', () => {
  const { after, onError } = audit(CHANGES) as unknown as Steps;
  const event = eventOf({ caller });
  after({ event, response: {} });
  onError({ event, error: new Error('too late') });
  expect(lines.map(({ outcome }) => outcome)).toEqual(['ok']);
});

describe('a line reports a change', () => {
  test.each<[string, data: object, boolean, body?: object]>([
    ['by default', {}, true],
    ['unless the answer denies it', { changed: false }, false],
    ['unless no role and no team was added', { roles_added: [], teams_added: [] }, false],
    ['when a role was added', { roles_added: ['r'], teams_added: [] }, true],
    ['when a team was added', { roles_added: [], teams_added: ['t'] }, true],
    ['unless a profile has no field', {}, false, {}],
    ['unless a profile has its username only', {}, false, { username: 'ada' }],
    ['when a profile has a field', {}, true, { username: 'ada', user_short: 'A' }],
  ])('%s', (_title, data, changed, body) => {
    for (const response of [data, new Answer(data), new Answer(data, { changed: false })])
      answer(body ? BODY : CHANGES, { caller, body }, response);
    expect(lines.map((line) => line['changed'])).toEqual([changed, changed, false]);
  });

  test.each<[string, Error, boolean | null]>([
    ['as unknown after a bug', new Error('x'), null],
    ['as unknown after an outage', new Failure('unavailable'), null],
    ['as none after a refusal', new Failure('forbidden'), false],
  ])('%s', (_title, error, changed) => {
    refuse(CHANGES, { caller }, error);
    expect(lines[0]?.['changed']).toBe(changed);
  });
});

describe('the target of a refusal', () => {
  const path = (username: string, token_name?: string) => ({ pathParameters: { username, token_name } });
  const token = `cst_${'a'.repeat(40)}`;

  test.each<[string, Contract, object, string | null]>([
    ['is the account that was read', CHANGES, { caller, accounts: [ADA] }, 'ada'],
    ['is the name on the path when nothing was read', CHANGES, path('Ada'), 'ada'],
    ['is no unknown name', CHANGES, { caller, accounts: [undefined], ...path('x') }, null],
    [
      'is an unknown name of a permitted caller',
      CHANGES,
      { caller, guard, accounts: [undefined], ...path('x') },
      'x',
    ],
    ['is no impossible name', CHANGES, path('not a name'), null],
    ['is no token in place of a name', CHANGES, path(token), null],
    ['is a token and its account', CHANGES, path('ada', 'Laptop'), 'laptop@ada'],
    ['is no secret in place of the name of a token', CHANGES, path('ada', token), 'ada'],
    ['is no text in place of the name of a token', CHANGES, path('ada', 'not a name'), 'ada'],
    ['is the token of the contract', OWN_TOKEN, { caller }, 'one@admin'],
    ['is the account in the body', BODY, { caller, body: { username: 'Ada' } }, 'ada'],
    ['is no token in the body', BODY, { caller, body: { username: token } }, 'admin'],
    ['is the caller when the body has no name', BODY, { caller, body: {} }, 'admin'],
    ['is absent when the body was not read', BODY, { body: '{"username":"ada"}' }, null],
    ['is absent for a listing', LISTS, { caller }, null],
  ])('%s', (_title, contract, part, target) => {
    refuse(contract, part, new Failure('forbidden'));
    expect(lines[0]?.['target']).toBe(target);
  });
});

const body = { username: 'as-typed', password: 'p' };
const login = () => answer(LOGIN, { body }, new Answer(ADA));
const refused = (contract: Contract, code: FailureCode, about?: string) => () =>
  refuse(contract, { body }, new Failure(code, about === undefined ? {} : { about }));
test.each<[string, () => void, string | null, string | null]>([
  ['a login has the account of its answer', login, 'ada', 'ada'],
  ['a refused login has the account it is about', refused(LOGIN, 'invalid_credentials', 'Ada'), null, 'ada'],
  ['a refused login does not have the typed name', refused(LOGIN, 'invalid_credentials'), null, null],
  ['a request from another site has its caller', refused(CHANGES, 'forbidden', 'Ada'), 'ada', null],
])('%s', (_title, act, actor, target) => {
  act();
  expect(lines).toMatchObject([{ actor, target }]);
});
