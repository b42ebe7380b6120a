import { describe, expect, test } from 'vitest';
import { Answer } from '#lib/contract/answer';
import type { Contract } from '#lib/contract/contract';
import { FAILURES, Failure, type FailureCode } from '#lib/failure';
import { audit } from '#lib/http/audit';
import { gatewayEvent } from '../support/gateway-event.ts';
import { auditLines } from '../support/log-lines.ts';

const lines = auditLines();

const CHANGES = {
  id: 'test.change',
  access: { role: 'sys_administrator' },
  accounts: ['username'],
  needs: ['table:UpdateItem:ACCOUNT'],
} as unknown as Contract;
const READS = { ...CHANGES, id: 'test.read', needs: ['table:Query:ACCOUNT'] } as Contract;
const LOGIN = {
  id: 'test.login',
  access: 'public',
  needs: ['table:PutItem:ATTEMPTS'],
} as unknown as Contract;
const BODY = {
  ...CHANGES,
  accounts: undefined,
  access: { role: 'sys_administrator', orSelf: 'body' },
} as unknown as Contract;

const admin = { id: 'id-1', username: 'Admin' };
const guard = { Key: {} };

type Step = (request: object) => void;

/** Lets a request of a contract pass, with what its way through the stack has made of the event. */
function pass(contract: Contract, step: 'after' | 'onError', part: object, request: object) {
  const middleware = audit(contract) as unknown as Record<typeof step, Step>;
  const event = { ...gatewayEvent({ method: 'POST' }), ...part };
  middleware[step]({ event, ...request });
}

const refuse = (contract: Contract, part: object, error: Error) => pass(contract, 'onError', part, { error });
const answer = (contract: Contract, part: object, response: unknown) =>
  pass(contract, 'after', part, { response });

const codes = Object.keys(FAILURES) as FailureCode[];
const UNREAD = ['invalid_request', 'payload_too_large', 'unsupported_media_type'];

test.each(codes)('a refusal of a change is audited unless nobody could read it: %s', (code) => {
  refuse(CHANGES, { caller: admin }, new Failure(code));
  expect(lines.map(({ outcome }) => outcome)).toEqual(UNREAD.includes(code) ? [] : [code]);
});

test.each(codes)('of what only reads, a refused credential or permission is audited: %s', (code) => {
  refuse(READS, { caller: admin }, new Failure(code));
  expect(lines).toHaveLength([401, 403].includes(FAILURES[code].status) ? 1 : 0);
});

test('a repeat that is answered again has changed nothing', () => {
  for (const changed of [true, false])
    answer(CHANGES, { caller: admin }, new Answer({ name: 'ci' }, { changed }));
  expect(lines.map((line) => line['changed'])).toEqual([true, false]);
});

test('what only reads is not audited', () => {
  answer(READS, { caller: admin }, { items: [] });
  expect(lines).toEqual([]);
});

test('a line has who did what to whom, from where, with what result', () => {
  answer(
    CHANGES,
    { caller: admin, accounts: [{ username: 'Ada' }], guard },
    { username: 'Ada', changed: true },
  );
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

test('a fault leaves open whether anything has changed, a refusal does not', () => {
  for (const error of [new Error('x'), new Failure('unavailable'), new Failure('forbidden')])
    refuse(CHANGES, { caller: admin }, error);
  expect(lines.map(({ changed }) => changed)).toEqual([null, null, false]);
});

test('a change that cannot be answered afterwards has one line, as the change it is', () => {
  const { after, onError } = audit(CHANGES) as unknown as Record<'after' | 'onError', Step>;
  const event = { ...gatewayEvent(), caller: admin };
  after({ event, response: {} });
  onError({ event, error: new Error('too late') });
  expect(lines.map(({ outcome }) => outcome)).toEqual(['ok']);
});

describe('a change', () => {
  test.each<[string, object, boolean]>([
    ['is one unless the answer says otherwise', {}, true],
    ['is none where it says so', { changed: false }, false],
    ['is none where nothing was added', { roles_added: [], teams_added: [] }, false],
    ['is one where a role was', { roles_added: ['r'], teams_added: [] }, true],
    ['is one where a team was', { roles_added: [], teams_added: ['t'] }, true],
  ])('%s', (_, data, changed) => {
    answer(CHANGES, { caller: admin }, data);
    answer(CHANGES, { caller: admin }, new Answer(data));
    expect(lines.map((line) => line['changed'])).toEqual([changed, changed]);
  });

  test.each<[object, boolean]>([
    [{}, false],
    [{ username: 'ada' }, false],
    [{ username: 'ada', user_short: 'A' }, true],
  ])('of a profile is what a body names: %j', (body, changed) => {
    answer(BODY, { caller: admin, body }, {});
    expect(lines[0]?.['changed']).toBe(changed);
  });
});

describe('the target', () => {
  const path = (username: string, token_name?: string) => ({ pathParameters: { username, token_name } });
  const token = `cst_${'a'.repeat(40)}`;
  const refused = new Failure('forbidden');

  test.each<[string, Contract, object, string | null]>([
    ['is the account that was read', CHANGES, { caller: admin, accounts: [{ username: 'Ada' }] }, 'ada'],
    ['is a name as it was sent, where nothing was read', CHANGES, path('Ada'), 'ada'],
    ['is no name that nobody has', CHANGES, { caller: admin, accounts: [undefined], ...path('x') }, null],
    [
      'is a name that nobody has, where the caller may ask',
      CHANGES,
      { caller: admin, guard, accounts: [undefined], ...path('x') },
      'x',
    ],
    ['is no name that no account can have', CHANGES, path('not a name'), null],
    ['is no token in the place of a name', CHANGES, path(token), null],
    ['is a token and its account', CHANGES, path('ada', 'Laptop'), 'laptop@ada'],
    ['is no secret in the place of a token’s name', CHANGES, path('ada', token), 'ada'],
    ['is no text in the place of a token’s name', CHANGES, path('ada', 'not a name'), 'ada'],
    [
      'is the token of the contract',
      { ...BODY, tokenName: 'one' } as Contract,
      { caller: admin },
      'one@admin',
    ],
    ['is the account in the body', BODY, { caller: admin, body: { username: 'Ada' } }, 'ada'],
    ['is no token in the body', BODY, { caller: admin, body: { username: token } }, 'admin'],
    ['is the caller, where no other is named', BODY, { caller: admin, body: {} }, 'admin'],
    ['is none in a body that was not read', BODY, { body: '{"username":"ada"}' }, null],
    [
      'of a listing is none',
      { ...READS, accounts: undefined } as unknown as Contract,
      { caller: admin },
      null,
    ],
  ])('%s', (_, contract, part, target) => {
    refuse(contract, part, refused);
    expect(lines[0]?.['target']).toBe(target);
  });
});

describe('a login', () => {
  test('is by the account that the answer names, and on it', () => {
    answer(LOGIN, { body: { username: 'api', password: 'p' } }, new Answer({ username: 'Ada' }));
    expect(lines).toMatchObject([{ actor: 'ada', target: 'ada', outcome: 'ok', changed: true }]);
  });

  test('that is refused is by nobody, and on the account that was found', () => {
    const body = { username: 'as-typed', password: 'p' };
    refuse(LOGIN, { body }, new Failure('invalid_credentials', { about: 'Ada' }));
    refuse(LOGIN, { body }, new Failure('invalid_credentials'));
    expect(lines).toMatchObject([
      { actor: null, target: 'ada' },
      { actor: null, target: null },
    ]);
  });
});

test('a caller that a page of another site acts for is the actor', () => {
  refuse(CHANGES, {}, new Failure('forbidden', { about: 'Ada' }));
  expect(lines).toMatchObject([{ actor: 'ada' }]);
});
