import { expect, test } from 'vitest';
import { existence } from '#lib/http/existence';
import { codeOf } from '../support/code-of.ts';

const ada = { username: 'Ada' };
const outcome = (accounts: readonly (object | undefined)[] | undefined) =>
  codeOf(() => (existence().before as (request: object) => void)({ event: { accounts } }));

test.each([[undefined], [[]], [[ada]], [[ada, ada]]])('the accounts %j all exist', (accounts) => {
  expect(outcome(accounts)).toBeUndefined();
});

test.each([[[undefined]], [[ada, undefined]], [[undefined, ada]]])(
  'of the accounts %j one is missing',
  (accounts) => {
    expect(outcome(accounts)).toBe('account_not_found');
  },
);
