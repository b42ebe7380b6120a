import { login } from '#lib/account/contracts';
import { LOCKED } from '#lib/login/lockout';
import { relayOutbox } from '#lib/outbox/jobs';
import { contracts } from '#lib/routes';

/** Log of the gateway; logs of functions have the ID of the function. */
export const GATEWAY_LOG = 'api';

/** A metric of log lines. Unlike the embedded metric format, it adds no bytes to the log. */
export interface LogMetric {
  readonly name: string;
  /** ID of the function that logs the lines, or {@link GATEWAY_LOG}. */
  readonly log: string;
  /** In the syntax of metric filters. */
  readonly pattern: string;
  /** Field of the line that is the value; by default lines are counted. */
  readonly value?: string;
  /** Field of the line for each dimension. Each has few values, since AWS charges for every combination. */
  readonly dimensions?: Readonly<Record<string, string>>;
}

const SWEEP = { log: relayOutbox.id };

/** Metrics of each endpoint, in addition to AWS's free ones: invocations, errors, durations. */
const ofEndpoints = contracts.flatMap(({ id }): LogMetric[] => [
  {
    name: 'Outcomes',
    log: id,
    pattern: '{ $.outcome = "refused" || $.outcome = "failed" }',
    dimensions: { Route: '$.function', Outcome: '$.outcome' },
  },
  { name: 'ColdStarts', log: id, pattern: '{ $.start = "cold" }', dimensions: { Route: '$.function' } },
]);

/** Every metric of log lines. */
export const LOG_METRICS: readonly LogMetric[] = [
  ...ofEndpoints,
  {
    name: 'FunctionErrors',
    log: GATEWAY_LOG,
    pattern:
      '{ $.integrationError = "*" && $.integrationError != "-" && $.integrationError != "*429*" && $.integrationStatus != "429" }',
  },
  {
    name: 'FunctionThrottles',
    log: GATEWAY_LOG,
    pattern: '{ $.integrationStatus = "429" || $.integrationError = "*429*" }',
  },
  { name: 'FailedLogins', log: login.id, pattern: '{ $.status = 401 || $.status = 429 }' },
  { name: 'Lockouts', log: login.id, pattern: `{ $.message = "${LOCKED}" }` },
  { name: 'SigningKeyAge', log: login.id, pattern: '{ $.keyAgeDays >= 0 }', value: '$.keyAgeDays' },
  {
    name: 'OldestPendingEvent',
    ...SWEEP,
    pattern: '{ $.oldestPendingSeconds >= 0 }',
    value: '$.oldestPendingSeconds',
  },
  { name: 'EventsSetAside', ...SWEEP, pattern: '{ $.setAside >= 0 }', value: '$.setAside' },
];
