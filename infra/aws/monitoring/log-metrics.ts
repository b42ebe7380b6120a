import { login } from '#lib/account/contracts';
import { LOCKED } from '#lib/login/lockout';
import { relayOutbox } from '#lib/outbox/jobs';
import { contracts } from '#lib/routes';

/** The log of the gateway, beside those of the functions, which go by their ids. */
export const GATEWAY_LOG = 'api';

/** A metric that is made of lines of a log: without bytes of its own in it, unlike the embedded metric format. */
export interface LogMetric {
  readonly name: string;
  /** Id of the function that logs the lines, or {@link GATEWAY_LOG}. */
  readonly log: string;
  /** As metric filters write it. */
  readonly pattern: string;
  /** What of the line is the value; otherwise lines are counted. */
  readonly value?: string;
  /** Names of dimensions, and what of the line they are: of few values each, since every combination is paid for. */
  readonly dimensions?: Readonly<Record<string, string>>;
}

const SWEEP = { log: relayOutbox.id };

/** What each endpoint is counted by, besides what AWS counts for nothing: invocations, errors, durations. */
const ofEndpoints = contracts.flatMap(({ id }): LogMetric[] => [
  {
    name: 'Outcomes',
    log: id,
    pattern: '{ $.outcome = "refused" || $.outcome = "failed" }',
    dimensions: { Route: '$.function', Outcome: '$.outcome' },
  },
  { name: 'ColdStarts', log: id, pattern: '{ $.start = "cold" }', dimensions: { Route: '$.function' } },
]);

/** Every metric that is made of log lines. */
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
