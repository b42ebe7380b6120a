import { coldMs, isEnough, SIZES, warmMs } from './duration.ts';
import { floorOf, logMetrics } from './floor.ts';
import type { Measured } from './measured.ts';
import { monthOf, type Parts, sweepMonth } from './month.ts';
import {
  type Assumptions,
  HOSTED,
  hostedMonth,
  PRICES,
  PRICES_NOTE,
  REGION,
  reasonOf,
  USAGE,
} from './prices.ts';
import { type Deployed, functionMillion, requestMillion } from './request.ts';
import { columns, wrapped } from './table.ts';
import type { Template } from './template.ts';

/** Everything that the figures of a report are made of. */
export interface Findings {
  readonly parts: Parts & { readonly authentication: { readonly token: Measured } };
  readonly template: Template;
  readonly deployed: Deployed;
  readonly assumed: Assumptions;
  /** Who has measured, and with what. */
  readonly machine: string;
  readonly measuredAt: string;
}

const WIDTH = 100;
const usd = (amount: number) => amount.toFixed(2);
const whole = (amount: number) => Math.round(amount).toLocaleString('en');
const units = (amount: number) => String(Math.round(amount * 10) / 10);
const nameOf = ({ id, about }: Measured) => (about ? `${id} (${about})` : id);

/** The figures of a report as data. */
export function figuresOf({ parts, template, deployed, assumed, machine, measuredAt }: Findings) {
  const month = (users: number) => monthOf(users, USAGE, template, parts, deployed, PRICES, assumed);
  const { session, token, activity } = parts.authentication;
  const more = ({ reads, writes }: Measured) => ({
    reads: reads - session.reads,
    writes: writes - session.writes,
  });
  return {
    region: REGION,
    machine,
    measuredAt,
    perMillion: parts.endpoints.map((measured) => ({
      ...measured,
      memory: deployed.memoryOf(measured.id),
      ms: warmMs(measured, deployed.memoryOf(measured.id), assumed),
      usd: requestMillion(measured, deployed, PRICES, assumed),
    })),
    moreUnits: { token: more(token), activity: more(activity) },
    floor: floorOf(template, PRICES),
    sweep: { ...parts.sweep, usd: sweepMonth(template, parts, deployed, PRICES, assumed) },
    logMetrics: logMetrics(template),
    months: USAGE.users.map(month),
    hosted: HOSTED.map((service) => ({
      ...service,
      usd: USAGE.users.map((users) => hostedMonth(service, users)),
    })),
    assumptions: assumed,
  };
}

export type Figures = ReturnType<typeof figuresOf>;

const about = ({ region, machine, measuredAt }: Figures) =>
  [
    wrapped(
      `Measured: on ${measuredAt}, ${machine}: CPU time, memory, request units, bytes logged and answered.`,
      WIDTH,
    ),
    wrapped(`List prices: ${region}, infra/cost/prices.json. ${PRICES_NOTE}`, WIDTH),
    wrapped('Assumed: what is at the end.', WIDTH),
  ].join('\n');

/** The report for people, at most 100 columns wide. */
export function costReport(figures: Figures): string {
  const { perMillion, moreUnits, floor, sweep, months, hosted, assumptions } = figures;
  const floorTotal = floor.reduce((total, line) => total + line.usd, sweep.usd);
  const { token, activity } = moreUnits;
  const metrics = figures.logMetrics;
  return [
    about(figures),
    '',
    'Dollars a million requests',
    '',
    columns(
      ['endpoint', 'ms', 'reads', 'writes', 'gateway', 'function', 'table', 'logs', 'total'],
      perMillion.map((one) => [
        nameOf(one),
        whole(one.ms),
        units(one.reads),
        units(one.writes),
        ...[one.usd.gateway, one.usd.function, one.usd.table, one.usd.logs, one.usd.total].map(usd),
      ]),
    ),
    '',
    wrapped(
      `By an administrator’s session that was used within the minute. Read units more of an API token: ${units(token.reads)}; write units more of a request that comes a minute or more after the one before: ${units(activity.writes)}. "ms" is the run of a warm function with its memory; "logs" are lines, traces and the audit log.`,
      WIDTH,
    ),
    '',
    'Dollars a month of an instance that nobody calls',
    '',
    columns(
      ['', 'units', 'dollars'],
      [
        ...floor.map((line) => [line.what, String(line.units), usd(line.usd)]),
        ['the sweep of the outbox, with its logs and traces', '', usd(sweep.usd)],
        ['total', '', usd(floorTotal)],
      ],
    ),
    '',
    wrapped(
      `Counted in the template. In use there are up to ${metrics.most} metrics of log lines, paid for by the hour.`,
      WIDTH,
    ),
    '',
    'Dollars a month beside hosted services',
    '',
    columns(
      ['', ...months.map(({ users }) => `${whole(users)} users`)],
      [
        ['requests', ...months.map(({ requests }) => whole(requests))],
        ['this service, its floor with all metrics', ...months.map((month) => usd(month.floor))],
        ['  requests, with logs and traces', ...months.map((month) => usd(month.requestsUsd))],
        ['  activity of accounts', ...months.map((month) => usd(month.activity))],
        ['  storage and recovery', ...months.map((month) => usd(month.storage))],
        ['this service, total', ...months.map((month) => usd(month.total))],
        ...hosted.map(({ name, read, usd: amounts }) => [`${name} (${read})`, ...amounts.map(usd)]),
      ],
    ),
    '',
    wrapped(
      `${USAGE.about}: ${Object.entries(USAGE.perUser)
        .map(([id, count]) => `${count} ${id}`)
        .join(', ')}; an instance: ${Object.entries(USAGE.perMonth)
        .map(([id, count]) => `${count} ${id}`)
        .join(
          ', ',
        )}. A hosted service is asked at login only; who operates this one, and its e-mails and SMS, are not in it, nor theirs in the others.`,
      WIDTH,
    ),
    '',
    'Assumed',
    '',
    ...Object.entries(assumptions).map(([name, value]) =>
      wrapped(`${name} ${value}: ${reasonOf(name)}`, WIDTH),
    ),
  ].join('\n');
}

/** How long each function takes, and what that costs, with each size of memory. */
export function memoryReport(figures: Figures, { parts, deployed, assumed }: Findings): string {
  const all = [...parts.endpoints, parts.sweep];
  const table = (cell: (measured: Measured, size: number) => string) =>
    columns(
      ['', 'peak', ...SIZES.map((size) => `${size} MB`)],
      all.map((measured) => [
        measured.id,
        whole(measured.peakMb),
        ...SIZES.map((size) => {
          const text = isEnough(measured, size, assumed) ? cell(measured, size) : '-';
          return deployed.memoryOf(measured.id) === size ? `[${text}]` : `${text} `;
        }),
      ]),
    );
  return [
    about(figures),
    '',
    wrapped(
      'In brackets what is deployed; "-" is less than the peak and its headroom. "peak" is in MB.',
      WIDTH,
    ),
    '',
    'Milliseconds of a warm function',
    '',
    table((measured, size) => whole(warmMs(measured, size, assumed))),
    '',
    'Milliseconds of a cold start',
    '',
    table((measured, size) => whole(coldMs(measured, size, assumed))),
    '',
    'Dollars a million runs',
    '',
    table((measured, size) => usd(functionMillion(measured, size, deployed.isArm, PRICES, assumed))),
  ].join('\n');
}
