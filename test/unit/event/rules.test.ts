import { expect, test } from 'vitest';
import { EVENTS, exampleOf } from '#lib/event/events';
import { EVENT_SOURCE } from '#lib/item/outbox-event';
import { parsePattern } from '../../../infra/local/services/event-pattern.ts';

const [cancel] = EVENTS as [(typeof EVENTS)[number]];

/** The example of `user_cancel` as it is delivered: of an account in `core` and `crm`, whose context was `core`. */
const event = {
  version: '0',
  id: '17793124-05d4-b198-2fde-7ededc63b103',
  source: EVENT_SOURCE,
  'detail-type': cancel.type,
  account: '111122223333',
  time: '2026-11-20T05:30:00Z',
  region: 'eu-central-1',
  resources: [],
  detail: exampleOf(cancel) as Record<string, unknown>,
};

test('the example is of an account with two applications', () => {
  expect(event.detail).toMatchObject({ app: 'core', apps: ['core', 'crm'] });
});

test.each([
  [{ apps: ['core'] }, true],
  [{ apps: ['crm'] }, true],
  [{ apps: ['erp', 'crm'] }, true],
  [{ apps: ['erp'] }, false],
  [{ app: ['core'] }, true],
  [{ app: ['crm'] }, false],
  [{ version: ['1'] }, true],
  [{ teams: { team_short: ['OPS'] } }, true],
])('a rule with the detail %j hears of it: %s', (detail, expected) => {
  const matches = parsePattern(JSON.stringify({ source: [EVENT_SOURCE], detail }));
  expect(matches(event)).toBe(expected);
});
