import { expect, test } from 'vitest';
import { accountEvent, toldBy } from '#lib/event/account-event';
import { EVENTS } from '#lib/event/events';
import { userCancel } from '#lib/event/user-cancel';
import type { Account } from '#lib/item/account';
import { NOON } from '../support/engine.ts';

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
  apps: ['core', 'billing'],
  transitions: 3,
  roles: ['a', 'b'],
  teams: [membership(1), membership(2)],
  stamp: 'secret',
} as unknown as Account;
const change = { id: 'event-id', at: NOON + 7, by: 'Root', requestId: 'request-id' };

test('the cancellation of an account is told with all that clean-up needs, and nothing secret', () => {
  expect(accountEvent(userCancel, account, change, undefined)).toEqual({
    id: 'event-id',
    detailType: 'user_cancel',
    createdAt: NOON + 7,
    detail: {
      version: '1',
      id: 'event-id',
      hook: '[billing].[user_cancel]',
      app: 'billing',
      apps: ['core', 'billing'],
      username: 'Ada',
      userid: 'account-id',
      transition: 3,
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

test('another kind of event has its own type, version and detail, and facts from outside of the account', () => {
  const kind = {
    type: 'user_lock',
    version: '7',
    detail: (of: Account, _: unknown, facts: string) => ({ stamped: of.stamp, facts }),
  } as const;
  expect(accountEvent(kind, account, change, 'facts')).toMatchObject({
    detailType: 'user_lock',
    detail: {
      version: '7',
      hook: '[billing].[user_lock]',
      stamped: 'secret',
      facts: 'facts',
      requestID: 'request-id',
    },
  });
});

test('an account that an earlier version has made was never in another state', () => {
  const { transitions: _, ...older } = account;
  expect(accountEvent(userCancel, older, change, undefined)).toMatchObject({ detail: { transition: 0 } });
});

const OTHERS: Partial<Account> = {
  user_app_name: 'other',
  apps: ['another'],
  teams: [],
  roles: [],
  stamp: 'x',
  token_count: 9,
};

test.each(EVENTS.map((event) => [event.type, event] as const))(
  'all that %s says of an account besides its identity is expected of it',
  (_type, event) => {
    const said = (part: Partial<Account>) =>
      JSON.stringify(accountEvent(event, { ...account, ...part }, change, event.sample));
    const telling = Object.entries(OTHERS).filter(([name, value]) => said({ [name]: value }) !== said({}));
    expect(telling.map(([name]) => name)).toEqual(Object.keys(toldBy(event, account)));
  },
);
