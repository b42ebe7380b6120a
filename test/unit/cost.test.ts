import { expect, test } from 'vitest';
import { monthCosts, requestCosts } from '#infra/cost/cost';
import { contracts, jobs, memoryOf } from '#lib/routes';
import budgets from '../../infra/cost/budgets.json' with { type: 'json' };
import data from '../../infra/cost/prices.json' with { type: 'json' };

const { prices } = data;

test('requestCosts adds the list prices of the units of a lock', () => {
  const [, rows] = requestCosts();
  const [, gateway, run, table, logs, total] = rows.find(([name]) => name === '`account.lock`') ?? [];
  const { reads, writes } = budgets['account.lock'];
  // One request, and an answer of 0.8 kB.
  const sent = prices.httpApiRequest.usd + 0.8 * prices.dataOut.usd;
  expect([gateway, table]).toEqual([
    sent.toFixed(2),
    (reads * prices.tableRead.usd + writes * prices.tableWrite.usd).toFixed(2),
  ]);
  expect(Number(total)).toBeCloseTo(Number(gateway) + Number(run) + Number(table) + Number(logs), 1);
});

test('monthCosts charges users of a hosted service tier by tier', () => {
  const [, rows] = monthCosts();
  const [, few, many] = rows.find(([name]) => name?.startsWith('Amazon Cognito Lite')) as string[];
  expect([few, many]).toEqual(['0.00', (90_000 * 0.0055 + 900_000 * 0.0046).toFixed(2)]);
});

/** List prices of us-east-1 in dollars for a million units, GB or GB-seconds, as AWS writes them; read on 2026-11-26. */
const AWS = { request: 1, invocation: 0.2, second: 13.3334, read: 0.125, write: 0.625, event: 1 };
const GB = { out: 0.09, stored: 0.25, recovery: 0.2 };
const MONTHLY = { metric: 0.3, alarm: 0.1, composite: 0.5, dashboard: 3, secret: 0.4 };

/** Dollars of a million requests that last so many milliseconds, and 3 as their share of cold starts. */
function millionOf(id: keyof typeof budgets, ms: number, MB: number, logs: number) {
  const { reads, writes } = budgets[id];
  const seconds = ((ms + 3) / 1000) * (MB / 1024);
  // An answer has 800 bytes of headers.
  const fixed = AWS.request + 0.8 * GB.out + AWS.invocation + logs;
  return fixed + seconds * AWS.second + reads * AWS.read + writes * AWS.write;
}

test.each([
  [1, 0.01],
  [2, 1],
])('monthCosts adds the list prices of AWS in column %i', (column, millions) => {
  const [, rows] = monthCosts();
  const endpoints = contracts.length;
  const { metric, alarm, composite, dashboard, secret } = MONTHLY;
  const resources = 43 * alarm + composite + dashboard + 3 * secret + (15 + 3 * endpoints) * metric;
  // A job has one round trip; that of the keys waits for five issuers, and writes 30 units.
  const ofJobs = jobs.map((job) => {
    if (typeof job.trigger !== 'object') return 0;
    const [ms, writes] = job.id === 'trust.refresh-keys' ? [1000, 30] : [5 + 7, 0];
    const seconds = ((ms + 3) / 1000) * (memoryOf(job) / 1024);
    const million = AWS.invocation + seconds * AWS.second + writes * AWS.write;
    return ((30 * 24 * 60) / job.trigger.everyMinutes / 1e6) * million;
  });
  const floor = ofJobs.reduce((total, usd) => total + usd, resources);
  // Ten logins a user, with an entry of the audit log for 4.30, and a hundred profiles; a thousand pages in all.
  const requests =
    10 * millions * millionOf('account.login', 424, 1769, 0.8 + 0.9 + 3.4) +
    100 * millions * millionOf('account.profile', 5 + 7 * 2, 1024, 0.8) +
    0.001 * millionOf('account.browse', 22, 1769, 0.8);
  // Every second request writes the activity: two units.
  const activity = 100 * millions * 0.5 * 2 * AWS.write;
  // 3 kB a user.
  const storage = 3 * millions * (GB.stored + GB.recovery);
  const parts = [floor, requests, activity, storage, floor + requests + activity + storage];
  expect(rows.slice(0, 5).map((row) => row[column])).toEqual(parts.map((usd) => usd.toFixed(2)));
});

test('prices.json has exceptions only for endpoints that exist', () => {
  const ids: readonly string[] = contracts.map(({ id }) => id);
  expect(Object.keys(data.runs.exceptions).filter((id) => !ids.includes(id))).toEqual([]);
});

test('requestCosts adds the transfer of a large answer, and the event of a cancellation', () => {
  const rowOf = (id: string) => requestCosts()[1].find(([name]) => name === `\`${id}\``) ?? [];
  // 1,260 kB and headers.
  expect(rowOf('docs.script')[1]).toBe((AWS.request + (1260 + 0.8) * GB.out).toFixed(2));
  // Three round trips, an event, and a share of cold starts.
  const seconds = ((5 + 7 * 3 + 20 + 3) / 1000) * (1024 / 1024);
  const { reads, writes } = budgets['account.cancel'];
  const [run, table] = [
    AWS.invocation + seconds * AWS.second + AWS.event,
    reads * AWS.read + writes * AWS.write,
  ];
  expect(rowOf('account.cancel').slice(2, 5)).toEqual([run.toFixed(2), table.toFixed(2), '5.10']);
});
