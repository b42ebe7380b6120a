import { afterAll, beforeEach, expect, test } from 'vitest';
import { startIssuer } from '#infra/local/issuer/start-issuer';
import { GRANT_TYPES, TOKEN_TYPES } from '#lib/oauth/grant-types';
import { assign } from '#lib/table/expressions';
import { issuerKey } from '#lib/table/keys';
import { update } from '#lib/table/write';
import type { Platform } from '#lib/trust/issuers';
import { openTarget } from '../../infra/admin/target.ts';
import { budgetOf, commandsDuring, expectBudget } from './budget.ts';
import { administratorOf } from './machine.ts';
import { ORDERS } from './resources.ts';
import { call, noted } from './service.ts';
import { startWatchedInstance } from './watched-instance.ts';

const { issuerOf, settings } = await startIssuer();
const watched = await startWatchedInstance({
  args: [],
  env: { Settings__Issuers: JSON.stringify(settings) },
});
afterAll(() => watched.stop());
const { url: audience } = watched.instance.ready;
const { table } = (await openTarget(watched)).runtime;
const { post, createMachine } = administratorOf(watched.instance);

await createMachine('shop-ci', ['deploy']);
await post('trust/create/cluster/shop-ci', {
  issuer: 'kubernetes',
  subject: 'system:serviceaccount:shop:deployer',
});
await post('trust/create/workflow/shop-ci', {
  issuer: 'github',
  subject: 'repo:acme@65/shop@74:ref:refs/heads/main',
  claims: { repository_id: '74' },
});
const TRUSTS = { kubernetes: 'cluster@shop-ci', github: 'workflow@shop-ci' } as const;

const tokenOf = async (platform: Platform) => noted(await issuerOf(platform).token({ audience }));

const exchange = (audienceOfTrust: string, subject_token: string, more: object = {}) =>
  call('POST', '/api/core/oauth/token', {
    base: audience,
    form: {
      grant_type: GRANT_TYPES.exchange,
      audience: audienceOfTrust,
      subject_token,
      subject_token_type: TOKEN_TYPES.jwt,
      ...more,
    },
  });

let overlapMs: number;
beforeEach(({ task }) => {
  overlapMs = 20 * 2 ** (task.result?.retryCount ?? 0);
});

/** The cost of an exchange, whose token is issued before. */
async function costOf(trust: string, platform: Platform, more: object = {}, status = 200) {
  const token = await tokenOf(platform);
  const send = () => exchange(trust, token, more);
  return budgetOf(await commandsDuring(watched.proxy, overlapMs, send, status));
}

/** Lets the keys of an issuer be fetched again, which the start has just done. */
const forgetFetch = (platform: Platform) =>
  update(table, { Key: issuerKey(issuerOf(platform).url), ...assign({ asked_at: 0 }, {}) });

/** Sequential round trips of a login with an API token of a known owner, as `budgets.local.test.ts` counts them. */
const OF_LOGIN = 2;

// On a busy machine, commands that are sent side by side may seem to follow each other; never the other way round.
const RETRY = { retry: 4 };

test.each([
  ['oauth.token, by the platform of a job', 'kubernetes'],
  ['oauth.token, by the platform of a job, for one use', 'github'],
] as const)('%s costs as many round trips as a login with an API token', RETRY, async (key, platform) => {
  const trust = TRUSTS[platform];
  await forgetFetch(platform);
  await exchange(trust, await tokenOf(platform));
  const cost = await costOf(trust, platform);
  expectBudget(key, cost);
  expect(cost.roundTrips).toBe(OF_LOGIN);
});

const TO_ORDERS = { resource: ORDERS };

test.each([
  ['oauth.token, by the platform of a job for another service', 'kubernetes'],
  ['oauth.token, by the platform of a job for another service, for one use', 'github'],
] as const)('%s costs no more round trips than a session', RETRY, async (key, platform) => {
  const trust = TRUSTS[platform];
  await forgetFetch(platform);
  await exchange(trust, await tokenOf(platform), TO_ORDERS);
  const cost = await costOf(trust, platform, TO_ORDERS);
  expectBudget(key, cost);
  expect(cost.roundTrips).toBeLessThanOrEqual(OF_LOGIN);
});

test(
  'oauth.token, by the platform of a job with a new key costs at most two round trips more',
  RETRY,
  async () => {
    await exchange(TRUSTS.kubernetes, await tokenOf('kubernetes'));
    await issuerOf('kubernetes').rotate();
    await forgetFetch('kubernetes');
    const cost = await costOf(TRUSTS.kubernetes, 'kubernetes');
    expectBudget('oauth.token, by the platform of a job with a new key', cost);
    expect(cost.roundTrips).toBeLessThanOrEqual(OF_LOGIN + 2);
  },
);

test('an exchange for an unknown trust stays within its budget', async () => {
  expectBudget('oauth.token, of an unknown trust', await costOf('other@shop-ci', 'kubernetes', {}, 400));
});
