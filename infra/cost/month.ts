import { floorOf, logMetrics, scheduled } from './floor.ts';
import type { Measured } from './measured.ts';
import { type Assumptions, dollars, type Prices, type UsageModel } from './prices.ts';
import { type Deployed, functionMillion, logged, PLATFORM_LINES, requestMillion } from './request.ts';
import type { Template } from './template.ts';

const MINUTES = 43_800;
const GB = 1e9;

/** What a run has measured that a month is made of. */
export interface Parts {
  readonly endpoints: readonly Measured[];
  readonly sweep: Measured;
  readonly authentication: { readonly session: Measured; readonly activity: Measured };
}

/** Dollars a month for the job that runs by the clock: each run is traced, since there is less than one a second. */
export function sweepMonth(
  template: Template,
  { sweep }: Pick<Parts, 'sweep'>,
  deployed: Deployed,
  prices: Prices,
  assumed: Assumptions,
): number {
  const runs = scheduled(template, MINUTES).reduce((total, each) => total + each.runs, 0);
  const bytes =
    sweep.logBytes +
    PLATFORM_LINES.join('').length +
    (sweep.logLines + PLATFORM_LINES.length) * assumed.logLineBytes;
  return (
    (functionMillion(sweep, deployed.memoryOf(sweep.id), deployed.isArm, prices, assumed) * runs) / 1e6 +
    dollars(prices, 'tableRead', runs * sweep.reads) +
    dollars(prices, 'tableWrite', runs * sweep.writes) +
    logged(runs * bytes, deployed.logDays, prices, assumed) +
    dollars(prices, 'trace', runs)
  );
}

/** Dollars a month of an instance that nobody calls, the job by the clock included. */
export const idleMonth = (
  template: Template,
  parts: Parts,
  deployed: Deployed,
  prices: Prices,
  assumed: Assumptions,
) =>
  floorOf(template, prices).reduce((total, { usd }) => total + usd, 0) +
  sweepMonth(template, parts, deployed, prices, assumed);

/** Dollars a month of an instance of so many users, by what they are for. */
export interface Month {
  readonly users: number;
  readonly requests: number;
  readonly floor: number;
  readonly requestsUsd: number;
  readonly activity: number;
  readonly storage: number;
  readonly total: number;
}

/** What an instance costs that is used as the model says; all metrics of log lines are taken to occur in every hour. */
export function monthOf(
  users: number,
  usage: UsageModel,
  template: Template,
  parts: Parts,
  deployed: Deployed,
  prices: Prices,
  assumed: Assumptions,
): Month {
  const { idle, most } = logMetrics(template);
  const counts = new Map<string, number>();
  for (const [id, count] of Object.entries(usage.perUser)) counts.set(id, count * users);
  for (const [id, count] of Object.entries(usage.perMonth)) counts.set(id, (counts.get(id) ?? 0) + count);
  const requests = [...counts.values()].reduce((total, count) => total + count, 0);
  const requestsUsd = [...counts].reduce((total, [id, count]) => {
    const measured = parts.endpoints.find((endpoint) => endpoint.id === id);
    if (!measured) throw new Error(`No endpoint ${id} was measured`);
    return (
      total +
      (requestMillion(measured, deployed, prices, assumed, requests / assumed.secondsPerMonth).total *
        count) /
        1e6
    );
  }, 0);
  const { session, activity: active } = parts.authentication;
  const authenticated = requests - (counts.get('account.login') ?? 0);
  const activity = dollars(
    prices,
    'tableWrite',
    authenticated * assumed.activityShare * Math.max(0, active.writes - session.writes),
  );
  const gigabytes = (users * assumed.bytesPerUser) / GB;
  const storage = dollars(prices, 'tableStorage', gigabytes) + dollars(prices, 'tableRecovery', gigabytes);
  const floor =
    idleMonth(template, parts, deployed, prices, assumed) + dollars(prices, 'customMetric', most - idle);
  return {
    users,
    requests,
    floor,
    requestsUsd,
    activity,
    storage,
    total: floor + requestsUsd + activity + storage,
  };
}
