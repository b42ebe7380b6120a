import { expect, it } from 'vitest';
import { mayLackCredential } from '#lib/contract/contract';
import { contracts } from '#lib/routes';
import { WORST } from '../../infra/cost/cost.ts';
import prices from '../../infra/cost/prices.json' with { type: 'json' };

it('the table of the most expensive requests has every endpoint that strangers may use', () => {
  const ids = new Set(WORST.map(({ contract }) => contract.id));
  const open = contracts.filter(({ access }) => mayLackCredential(access));
  expect(open.filter(({ id }) => !ids.has(id))).toEqual([]);
});

const { maxDollars } = prices.worst;

it.each(WORST.filter(({ exempt }) => exempt === undefined).map((row) => [row.contract.id, row] as const))(
  `strangers cost at most $${maxDollars} a day by %s at the limit of its rate`,
  (_id, { day }) => {
    expect(day).toBeLessThanOrEqual(maxDollars);
  },
);

it('only logins, sessions of machines, codes, challenges, public keys and refused tokens of strangers may cost more', () => {
  const exempt = WORST.filter((row) => row.exempt !== undefined).map(({ contract }) => contract.id);
  expect(exempt).toEqual([
    ...['system.jwks', 'oauth.token', 'account.login', 'account.passkey-assert', 'account.passkey-options'],
    ...['account.password', 'system.ping', 'system.uuids', 'account.export', 'account.profile-update'],
  ]);
});
