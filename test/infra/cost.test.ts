import { expect, it } from 'vitest';
import { mayLackCredential } from '#lib/contract/contract';
import { contracts, jobs } from '#lib/routes';
import { refreshKeys } from '#lib/trust/jobs';
import { monthCosts, requestCosts, SCHEDULED, WORST } from '../../infra/cost/cost.ts';
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
    ...['oauth.jwks', 'system.jwks', 'oauth.token', 'account.login', 'account.passkey-assert'],
    'account.passkey-options',
    ...['account.password', 'system.ping', 'system.uuids', 'account.export', 'account.profile-update'],
  ]);
});

it('the costs of requests have a row for each endpoint, and for each way to exchange a token', () => {
  const [, rows] = requestCosts();
  const names = rows.map(([name = '']) => name.replaceAll('`', ''));
  expect(names.filter((name) => !name.includes(','))).toEqual(contracts.map(({ id }) => id));
  expect(names.filter((name) => name.includes(','))).toEqual([
    'oauth.token, by an API token for another service',
    'oauth.token, by a session for another service',
    'oauth.token, by the platform of a job',
    'oauth.token, by the platform of a job with a new key',
    'oauth.token, by the platform of a job, for one use',
    'oauth.token, by the platform of a job for another service',
    'oauth.token, by the platform of a job for another service, for one use',
  ]);
});

it('the floor of a month has each job that runs at intervals, the hourly refresh of keys included', () => {
  const scheduled = jobs.filter(({ trigger }) => typeof trigger === 'object');
  expect(SCHEDULED.map(({ id }) => id)).toEqual(scheduled.map(({ id }) => id));
  expect(SCHEDULED.find(({ id }) => id === refreshKeys.id)?.runs).toBe(720);
  const ofJobs = SCHEDULED.reduce((total, { month }) => total + month, 0);
  const ofParts = prices.floor.reduce((total, { price, units, perEndpoint = 0 }) => {
    const { usd, per } = prices.prices[price as keyof typeof prices.prices];
    return total + ((units + perEndpoint * contracts.length) * usd) / per;
  }, 0);
  const [, [floor = []]] = monthCosts() as unknown as [unknown, string[][]];
  expect(floor[1]).toBe((ofParts + ofJobs).toFixed(2));
  expect(ofJobs).toBeGreaterThan(0.01);
});
