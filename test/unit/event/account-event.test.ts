import { expect, test } from 'vitest';
import { accountEvent } from '#lib/event/account-event';
import { userCancel } from '#lib/event/user-events';
import { NOON } from '../support/engine.ts';
import { accountItem, membership } from '../support/items.ts';

const account = accountItem({
  user_app_name: 'billing',
  apps: ['core', 'billing'],
  transitions: 3,
  roles: ['a', 'b'],
  teams: [membership(1), membership(2)],
});
const change = { id: 'event-id', at: NOON + 7, by: 'Root', requestId: 'request-id' };

test('accountEvent reports a cancellation with everything that clean-up needs', () => {
  const { username, id, apps, roles, teams } = account;
  expect(accountEvent(userCancel, account, change, undefined)).toEqual({
    id: 'event-id',
    detailType: 'user_cancel',
    createdAt: NOON + 7,
    detail: {
      version: '1',
      id: 'event-id',
      hook: '[billing].[user_cancel]',
      app: 'billing',
      apps,
      username,
      userid: id,
      transition: 3,
      cancelled_at: '2026-11-20T12:00:00.007Z',
      cancelled_by: 'Root',
      teams: teams.map(({ team_id, team_short }) => ({ team_id, team_short })),
      roles,
      requestID: 'request-id',
    },
  });
});

test('accountEvent reports transition 0 for an account without changes of state', () => {
  const event = accountEvent(userCancel, accountItem(), change, undefined);
  expect(event).toMatchObject({ detail: { transition: 0 } });
});
