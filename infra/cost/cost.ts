import { type Contract, GATEWAY_THROTTLE } from '#lib/contract/contract';
import { isAudited } from '#lib/http/audit';
import { contracts, jobs, memoryOf } from '#lib/routes';
import budgets from './budgets.json' with { type: 'json' };
import data from './prices.json' with { type: 'json' };

const { prices, assumptions, floor, hosted, runs, worst } = data;

const MILLION = 1e6;
const GB = 1e9;
const SECONDS_A_DAY = 86_400;
const MINUTES_A_MONTH = 30 * 24 * 60;

/** Dollars for so many units at the list price. */
const dollars = (name: keyof typeof prices, units: number) => (units * prices[name].usd) / prices[name].per;

interface Usage {
  /** Counted by test/integration/budgets.local.test.ts. */
  readonly reads: number;
  readonly writes: number;
  /** Estimated: see the note in prices.json. */
  readonly ms: number;
  readonly kB: number;
  readonly events: number;
}

type Exception = Partial<Pick<Usage, 'ms' | 'kB' | 'events'>>;

/** Usage of a request: units and round trips by its budget; the rest by assumptions, and by the exceptions to them. */
function usageOf(id: string, budget = id): Usage {
  const counted = budgets[budget as keyof typeof budgets];
  if (!counted) throw new Error(`infra/cost/budgets.json has no entry for ${budget}`);
  const { events = 0, kB = 0, ...measured } = (runs.exceptions as Record<string, Exception>)[id] ?? {};
  const { runMs, roundTripMs, eventMs } = assumptions;
  const ms = runMs.value + roundTripMs.value * counted.roundTrips + eventMs.value * events;
  return { ...counted, ms, ...measured, kB, events };
}

/**
 * Dollars for a million requests of an endpoint, by the service that charges them.
 *
 * @param isRefused as by 401, which every endpoint audits
 */
function millionOf(contract: Contract, usage = usageOf(contract.id), isRefused = false) {
  const { reads, writes, ms, kB, events } = usage;
  const seconds = (ms + assumptions.coldMs.value) / 1000;
  const bytes = kB * 1000 + assumptions.headerBytes.value;
  const gateway = dollars('httpApiRequest', MILLION) + dollars('dataOut', (MILLION * bytes) / GB);
  const run =
    dollars('lambdaRequest', MILLION) +
    dollars('lambdaArm', (MILLION * seconds * memoryOf(contract)) / 1024) +
    dollars('event', MILLION * events);
  const table = dollars('tableRead', MILLION * reads) + dollars('tableWrite', MILLION * writes);
  const { logsPerMillion, auditLinePerMillion: line, auditEntryPerMillion: entry } = assumptions;
  const audit = isRefused ? line.value : isAudited(contract) ? line.value + entry.value : 0;
  const logs = logsPerMillion.value + audit;
  return { gateway, run, table, logs, total: gateway + run + table + logs };
}

type Table = readonly [head: readonly string[], rows: readonly string[][]];

/** Table of the commands of each usual request, with those that cost the same in one row. */
export function commandCosts(): Table {
  const rows = Object.entries(budgets).map(([name, { roundTrips, reads, writes, commands }]) => {
    const { events } = usageOf(name.split(',')[0] as string);
    const each = Object.entries({ ...commands, ...(events > 0 ? { PutEvents: events } : {}) });
    const texts = each.map(([command, n]) => (n === 1 ? command : `${n} ${command}`));
    return { name, cells: [`${roundTrips}`, `${reads}`, `${writes}`, texts.join(', ')] };
  });
  const alike = Object.groupBy(rows, ({ cells }) => cells.join('|'));
  return [
    ['Request', 'Round trips', 'Read units', 'Write units', 'Commands'],
    Object.values(alike).flatMap((all = []) =>
      all[0]?.cells[0] === '0' ? [] : [[all.map(({ name }) => name).join('; '), ...(all[0]?.cells ?? [])]],
    ),
  ];
}

/** Budgets of exchanges, which usual requests are as well as the grant with an API token. */
const EXCHANGES = Object.keys(budgets).filter((name) => name.startsWith('oauth.token, by '));

/** Table of the dollars that a million requests of each endpoint cost. */
export function requestCosts(): Table {
  const rows = contracts.flatMap((contract) => {
    const { id } = contract;
    return [id, ...EXCHANGES.filter((name) => name.startsWith(`${id}, `))].map((budget) => {
      const { gateway, run, table, logs, total } = millionOf(contract, usageOf(id, budget));
      const usd = [gateway, run, table, logs, total].map((amount) => amount.toFixed(2));
      return [budget.replace(id, `\`${id}\``), ...usd];
    });
  });
  return [['Endpoint', 'Gateway', 'Function', 'Table', 'Logs', 'Total'], rows];
}

/** The most expensive requests of strangers and of an ordinary account, with their dollars a day at the limit of their rate. */
export const WORST = worst.requests.map(({ endpoint, what, budget, exempt, refused, ...given }) => {
  const contract = contracts.find(({ id }) => id === endpoint);
  if (!contract) throw new Error(`There is no endpoint ${endpoint}`);
  const usage = { ...usageOf(endpoint, budget), ...given };
  const { rate } = contract.throttle ?? GATEWAY_THROTTLE;
  const day = (millionOf(contract, usage, refused).total / MILLION) * rate * SECONDS_A_DAY;
  return { contract, what, exempt, ...usage, rate, day };
});

/** Table of {@link WORST}. */
export function worstCosts(): Table {
  const rows = WORST.map(({ contract: { id }, what, exempt, ms, kB, rate, day }) => [
    [`\`${id}\``, ...(what ? [what] : [])].join(': '),
    `${ms}`,
    `${kB}`,
    `${rate}`,
    `${Math.ceil(day)}`,
    exempt ?? '',
  ]);
  return [['Request', 'CPU ms', 'kB', 'Requests a second', 'Dollars a day', 'Above $20 because'], rows];
}

/** The jobs that run at intervals, with their runs and dollars of a month in which they have nothing else to do. */
export const SCHEDULED = jobs.flatMap((job) => {
  if (typeof job.trigger !== 'object') return [];
  const { runMs, roundTripMs, coldMs } = assumptions;
  const { ms = runMs.value + roundTripMs.value, writes = 0 } =
    (runs.jobs as Record<string, { readonly ms?: number; readonly writes?: number }>)[job.id] ?? {};
  const count = MINUTES_A_MONTH / job.trigger.everyMinutes;
  const seconds = (ms + coldMs.value) / 1000;
  const run =
    dollars('lambdaRequest', 1) +
    dollars('lambdaArm', (seconds * memoryOf(job)) / 1024) +
    dollars('tableWrite', writes);
  return [{ id: job.id, runs: count, month: run * count }];
});

/** Dollars of a month that do not depend on requests. */
const floorMonth = () =>
  floor.reduce(
    (total, { price, units, perEndpoint = 0 }) =>
      total + dollars(price as keyof typeof prices, units + perEndpoint * contracts.length),
    SCHEDULED.reduce((total, { month }) => total + month, 0),
  );

/** Dollars of a month with so many users, who log in ten times and send a hundred other requests each. */
function monthOf(users: number): readonly number[] {
  const requests = { 'account.login': 10 * users, 'account.profile': 100 * users, 'account.browse': 1000 };
  const usd = contracts.reduce((total, contract) => {
    const count = (requests as Readonly<Record<string, number>>)[contract.id] ?? 0;
    return total + (millionOf(contract).total * count) / MILLION;
  }, 0);
  const activity = dollars('tableWrite', 100 * users * assumptions.activityShare.value * 2);
  const gigabytes = (users * assumptions.bytesPerUser.value) / GB;
  const storage = dollars('tableStorage', gigabytes) + dollars('tableRecovery', gigabytes);
  return [floorMonth(), usd, activity, storage, floorMonth() + usd + activity + storage];
}

/** Dollars of a month that a hosted service charges; each tier has a price for a user up to its limit. */
function hostedMonth({ monthly, tiers }: (typeof hosted)[number], users: number): number {
  let [total, from] = [monthly, 0];
  for (const { upTo, usd } of tiers) {
    const until = Math.min(users, upTo ?? users);
    total += Math.max(0, until - from) * usd;
    from = Math.max(from, until);
  }
  return total;
}

/** Table of the dollars of a month, next to hosted services. */
export function monthCosts(): Table {
  const sizes = [10_000, 1_000_000];
  const months = sizes.map(monthOf);
  const usd = (amounts: readonly (number | undefined)[]) => amounts.map((amount) => amount?.toFixed(2) ?? '');
  const parts = ['floor', 'requests with logs', 'activity', 'storage and recovery', '**total**'];
  return [
    ['Dollars a month', ...sizes.map((size) => `${size.toLocaleString('en')} users`)],
    [
      ...parts.map((part, at) => [`This service: ${part}`, ...usd(months.map((month) => month[at]))]),
      ...hosted.map((one) => [
        `${one.name} (${one.read})`,
        ...usd(sizes.map((users) => hostedMonth(one, users))),
      ]),
    ],
  ];
}
