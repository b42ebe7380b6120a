import { login } from '#lib/account/contracts';
import { LOCKED } from '#lib/login/lockout';

/** Which log group has the lines: that of all functions, or that of the gateway. */
export type Log = 'functions' | 'gateway';

/** A metric of log lines. Unlike the embedded metric format, it adds no bytes to the log. */
export interface LogMetric {
  readonly name: string;
  readonly log: Log;
  /** In the syntax of metric filters. */
  readonly pattern: string;
  /** Field of the line that is the value; by default lines are counted. */
  readonly value?: string;
  /** Value of each minute in which the log has other lines only. */
  readonly absent?: number;
  /** Field of the line for each dimension. Each has few values, since AWS charges for every combination. */
  readonly dimensions?: Readonly<Record<string, string>>;
}

/** Every metric of log lines, in addition to AWS's free ones: invocations, errors, durations. */
export const LOG_METRICS: readonly LogMetric[] = [
  {
    name: 'Outcomes',
    log: 'functions',
    pattern: '{ $.outcome = "refused" || $.outcome = "failed" }',
    dimensions: { Route: '$.function', Outcome: '$.outcome' },
  },
  {
    name: 'ColdStarts',
    log: 'functions',
    pattern: '{ $.start = "cold" }',
    dimensions: { Route: '$.function' },
  },
  {
    name: 'FunctionErrors',
    log: 'gateway',
    pattern:
      '{ $.integrationError = "*" && $.integrationError != "-" && $.integrationError != "*429*" && $.integrationStatus != "429" }',
  },
  {
    name: 'FunctionThrottles',
    log: 'gateway',
    pattern: '{ $.integrationStatus = "429" || $.integrationError = "*429*" }',
  },
  {
    name: 'FailedLogins',
    log: 'functions',
    pattern: `{ $.function = "${login.id}" && ($.status = 401 || $.status = 429) }`,
  },
  { name: 'Lockouts', log: 'functions', pattern: `{ $.message = "${LOCKED}" }` },
  { name: 'SigningKeyAge', log: 'functions', pattern: '{ $.keyAgeDays >= 0 }', value: '$.keyAgeDays' },
  {
    name: 'OldestPendingEvent',
    log: 'functions',
    pattern: '{ $.oldestPendingSeconds >= 0 }',
    value: '$.oldestPendingSeconds',
  },
  { name: 'EventsSetAside', log: 'functions', pattern: '{ $.setAside >= 0 }', value: '$.setAside' },
  // 0 in each minute in which only other lines are logged: an alarm then needs no missing data, which a new stack has.
  { name: 'Sweeps', log: 'functions', pattern: '{ $.oldestPendingSeconds >= 0 }', absent: 0 },
  { name: 'Probes', log: 'functions', pattern: '{ $.probe = "ok" }', absent: 0 },
];
