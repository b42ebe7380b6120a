import { LATE_SECONDS } from '#lib/audit/heartbeat';
import { REFUSED } from '#lib/audit/store';
import { LOCKED } from '#lib/login/lockout';
import { contract as login } from '#lib/login/login.contract';
import { contract as assertion } from '#lib/passkey/passkey-assert.contract';
import { KEY_DIFFERS } from '#lib/pseudonym/erasure-key';
import { UNREACHABLE } from '#lib/trust/issuer-keys';

/** Which log group has the lines: that of all functions, or that of the gateway. */
export type Log = 'functions' | 'gateway';

/** A metric of log lines. Unlike the embedded metric format, it adds no bytes to the log. */
export interface LogMetric {
  readonly name: string;
  /** By default that of all functions. */
  readonly log?: Log;
  /** In the syntax of metric filters. */
  readonly pattern: string;
  /** Field of the line that is the value; by default lines are counted. */
  readonly value?: string;
  /** Value of each minute in which the log has other lines only. */
  readonly absent?: number;
  /** Field of the line for each dimension. Each has few values, since AWS charges for every combination. */
  readonly dimensions?: Readonly<Record<string, string>>;
}

/** An answer that takes longer is slow. */
const SLOW_MS = 3000;

/** The line of a sweep of the outbox. */
const SWEPT = '{ $.oldestPendingSeconds >= 0 }';

/** Every metric of log lines, in addition to AWS's free ones: invocations, errors, durations. */
export const LOG_METRICS: readonly LogMetric[] = [
  {
    name: 'Outcomes',
    pattern: '{ $.outcome = "refused" || $.outcome = "failed" }',
    dimensions: { Route: '$.function', Outcome: '$.outcome' },
  },
  { name: 'ColdStarts', pattern: '{ $.start = "cold" }', dimensions: { Route: '$.function' } },
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
    pattern: `{ ($.function = "${login.id}" || $.function = "${assertion.id}") && ($.status = 401 || $.status = 429) }`,
  },
  { name: 'SlowAnswers', pattern: `{ $.ms > ${SLOW_MS} }` },
  { name: 'Lockouts', pattern: `{ $.message = "${LOCKED}" }` },
  { name: 'RefusedAuditLines', pattern: `{ $.message = "${REFUSED}" }` },
  { name: 'OtherErasureKeys', pattern: `{ $.code = "${KEY_DIFFERS}" }` },
  // No key signs, or the keys cannot be read.
  { name: 'MissingResourceKeys', pattern: '{ $.level = "error" && $.signs = "resources" }' },
  { name: 'UnreachableIssuers', pattern: `{ $.message = "${UNREACHABLE}" }` },
  { name: 'SigningKeyAge', pattern: '{ $.keyAgeDays >= 0 }', value: '$.keyAgeDays' },
  { name: 'OldestPendingEvent', pattern: SWEPT, value: '$.oldestPendingSeconds' },
  { name: 'EventsSetAside', pattern: '{ $.setAside >= 0 }', value: '$.setAside' },
  // 0 in each minute in which only other lines are logged. So alarms detect the absence as 0, and need not treat missing
  // data as a breach: a new stack has no data yet.
  { name: 'Sweeps', pattern: SWEPT, absent: 0 },
  { name: 'Probes', pattern: '{ $.probe = "ok" }', absent: 0 },
  // A line that comes later has been delayed, as lines that Lambda sends again after failures are.
  { name: 'AuditHeartbeats', pattern: `{ $.auditAgeSeconds <= ${LATE_SECONDS} }`, absent: 0 },
];
