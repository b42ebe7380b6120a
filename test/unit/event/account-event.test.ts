import { expect, test } from 'vitest';
import type { Account } from '#lib/item/account';
import { accountEvent, EVENT_FIELDS } from '#lib/lifecycle/account-event';
import { userCancel } from '#lib/lifecycle/user-cancel';
import { NOON } from '../engine.ts';

const membership = (n: number) => ({
  team_id: `id-${n}`,
  team_short: `short-${n}`,
  team_name: `Team ${n}`,
  team_type: 'internal',
  teamuser_lvl: null,
});

const account = {
  id: 'account-id',
  username: 'Ada',
  user_app_name: 'billing',
  roles: ['a', 'b'],
  teams: [membership(1), membership(2)],
  stamp: 'secret',
} as unknown as Account;
const change = { id: 'event-id', at: NOON + 7, by: 'Root', requestId: 'request-id' };

test('the cancellation of an account is told with all that clean-up needs, and nothing secret', () => {
  expect(accountEvent(userCancel, account, change)).toEqual({
    id: 'event-id',
    detailType: 'user_cancel',
    createdAt: NOON + 7,
    detail: {
      version: '1',
      id: 'event-id',
      hook: '[billing].[user_cancel]',
      app: 'billing',
      username: 'Ada',
      userid: 'account-id',
      cancelled_at: '2026-11-20T12:00:00.007Z',
      cancelled_by: 'Root',
      teams: [
        { team_id: 'id-1', team_short: 'short-1' },
        { team_id: 'id-2', team_short: 'short-2' },
      ],
      roles: ['a', 'b'],
      requestID: 'request-id',
    },
  });
});

test('another kind of event has its own type, version and detail', () => {
  const kind = { type: 'user_test', version: '7', detail: (of: Account) => ({ stamped: of.stamp }) };
  expect(accountEvent(kind, account, change)).toMatchObject({
    detailType: 'user_test',
    detail: { version: '7', hook: '[billing].[user_test]', stamped: 'secret', requestID: 'request-id' },
  });
});

test('what an event says of an account beside its identity is known', () => {
  const said = (part: Partial<Account>) =>
    JSON.stringify(accountEvent(userCancel, { ...account, ...part }, change));
  const others: Partial<Account> = {
    user_app_name: 'other',
    roles: [],
    teams: [],
    stamp: 'x',
    token_count: 9,
  };
  const telling = Object.entries(others).filter(([name, value]) => said({ [name]: value }) !== said({}));
  expect(telling.map(([name]) => name)).toEqual([...EVENT_FIELDS]);
});
