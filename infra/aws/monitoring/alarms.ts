import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { FIGURES } from '#infra/openapi/texts/figures';
import { collectAudit } from '#lib/audit/jobs';
import { contract as login } from '#lib/login/login.contract';
import { rotateSigningKey } from '#lib/session/jobs';
import type { Measures } from './measures.ts';

/**
 * Urgency of an alarm: `page` wakes somebody, `ticket` waits for the morning. A `part` belongs to the alarm
 * {@link OUTAGE}, which pages once for all of its parts.
 */
export type Severity = 'page' | 'ticket' | 'part';

/** ID of the alarm that fires with any of its parts. */
export const OUTAGE = 'outage';

/** An alarm; by default it compares one period, and missing data do not breach. */
export interface AlarmDefinition {
  /** Part of its name, and the heading of its article. */
  readonly id: string;
  readonly severity: Severity;
  /** The effect of the fault on users, in a sentence or two. */
  readonly loses: string;
  readonly metric: cloudwatch.IMetric;
  /** 0 by default. */
  readonly threshold?: number;
  /** Number of periods that are evaluated; all of them breach by default. */
  readonly periods?: number;
  readonly breaching?: number;
  readonly comparison?: cloudwatch.ComparisonOperator;
  /** Effect of missing data. With `MISSING` the alarm pages, except while it is new and never had data. */
  readonly missing?: cloudwatch.TreatMissingData;
}

/** A key rotates within day 90; an older key has missed its rotation. */
const ROTATION_OVERDUE_DAYS = 92;

/** Share of all in per cent, each minute. The probe sends requests every minute, so that there is always a share. */
const shareOf = (errors: cloudwatch.IMetric, all: cloudwatch.IMetric, label: string) => ({
  metric: new cloudwatch.MathExpression({
    expression: 'IF(all > 0, 100 * FILL(errors, 0) / all, 0)',
    usingMetrics: { errors, all },
    label,
    period: Duration.minutes(1),
  }),
  // A single failure in a quiet hour is half of a minute's requests; three minutes of failures are a fault.
  periods: 5,
  breaching: 3,
});

const ofSeverity = (
  severity: Severity,
  all: readonly Omit<AlarmDefinition, 'severity'>[],
): AlarmDefinition[] => all.map((one) => ({ ...one, severity }));

/** Every alarm of an instance except {@link OUTAGE}. */
export function alarmsOf(measures: Measures): AlarmDefinition[] {
  const { requests, serverErrors, latency, ofTable, logged, ofFunction, failedJobs, failedEvents } = measures;
  const BELOW = cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD;
  return [
    ...ofSeverity('part', [
      {
        id: 'server-errors',
        loses: 'More than 1 % of requests are answered 5xx: logins or other requests of users fail.',
        ...shareOf(serverErrors, requests, '5xx in %'),
        threshold: 1,
      },
      {
        id: 'login-unavailable',
        loses: 'More than 5 % of logins are answered 5xx: users without a session cannot log in.',
        ...shareOf(
          logged('Outcomes', 'Sum', 1, { Route: login.id, Outcome: 'failed' }),
          ofFunction(login.id, 'Invocations'),
          'failed logins in %',
        ),
        threshold: 5,
      },
      {
        id: 'slow-answers',
        loses: 'One request of a hundred takes longer than 3 s: users wait, and some clients give up.',
        metric: latency('p99'),
        threshold: 3000,
        periods: 3,
      },
      {
        id: 'sweep-stopped',
        loses:
          'The outbox was not swept for 5 minutes: events that were not published at once reach no subscriber.',
        metric: logged('Sweeps', 'Sum', 1),
        threshold: 1,
        periods: 5,
        comparison: BELOW,
      },
      {
        id: 'probe-failed',
        loses: 'The public URL gives no answer or a wrong one: users may not reach the service at all.',
        metric: logged('Probes', 'Sum', 1),
        threshold: 1,
        periods: 3,
        comparison: BELOW,
        missing: cloudwatch.TreatMissingData.MISSING,
      },
    ]),
    ...ofSeverity('page', [
      {
        id: 'events-waiting',
        loses: 'An event has waited for 10 minutes: subscribers miss changes, such as a cancelled account.',
        metric: logged('OldestPendingEvent', 'Maximum', 1),
        threshold: 600,
        periods: 3,
      },
      {
        id: 'undelivered-events',
        loses: 'The bus accepted an event but could not process it: subscribers do not receive it.',
        metric: failedEvents,
      },
      {
        // It pages, so that it also rolls back a deployment that brought another key.
        id: 'erasure-key-differs',
        loses:
          'No account can be created or erased, and audit entries wait: the erasure key is not that of the table.',
        metric: logged('OtherErasureKeys'),
      },
    ]),
    ...ofSeverity('ticket', [
      {
        id: 'events-set-aside',
        loses: `An event was refused for ${FIGURES['set-aside-hours']} hours and is dead-lettered: other systems may serve a cancelled account.`,
        metric: logged('EventsSetAside', 'Maximum', 1),
        missing: cloudwatch.TreatMissingData.IGNORE,
      },
      {
        id: 'function-errors',
        loses: 'Functions crash or run out of time: their requests are answered 500, without a reason.',
        metric: logged('FunctionErrors'),
      },
      {
        id: 'function-throttles',
        loses: 'Lambda refuses to run functions: requests are answered 5xx before any code runs.',
        metric: logged('FunctionThrottles'),
      },
      {
        id: 'table-throttles',
        loses: 'DynamoDB throttles the table: requests become slower, then are answered 503.',
        metric: ofTable('ThrottledRequests'),
        threshold: 10,
      },
      {
        id: 'table-errors',
        loses: 'DynamoDB has internal errors: changes by users may be answered 503.',
        metric: ofTable('SystemErrors'),
        threshold: 10,
      },
      {
        id: 'dead-letters',
        loses: 'A job or a backup failed: work for users, such as publishing events, may be late.',
        metric: failedJobs,
      },
      {
        id: 'audit-late',
        loses: 'Audit lines were not copied to the audit log: investigations cannot find them there.',
        metric: ofFunction(collectAudit.id, 'Errors'),
      },
      {
        id: 'audit-incomplete',
        loses: 'Audit entries are missing in `audit/browse`: administrators see them in the audit log only.',
        metric: logged('RefusedAuditLines'),
      },
      {
        id: 'rotation-failed',
        loses: 'The signing key was not rotated: on a new instance all logins fail, elsewhere none does yet.',
        metric: ofFunction(rotateSigningKey.id, 'Errors'),
      },
      {
        id: 'signing-key-old',
        loses: `Session tokens are signed with a key older than ${ROTATION_OVERDUE_DAYS} days: if it leaked, every account stays open to its holder.`,
        metric: logged('SigningKeyAge', 'Maximum'),
        threshold: ROTATION_OVERDUE_DAYS,
        missing: cloudwatch.TreatMissingData.IGNORE,
      },
      {
        id: 'failed-logins',
        loses: 'Logins fail by the hundred: an attacker guesses passwords, or a client has a wrong one.',
        metric: logged('FailedLogins'),
        threshold: 100,
      },
      {
        id: 'lockouts',
        loses: `An account is locked out after ${FIGURES['limit-of-name']}: its owner cannot log in from a new address for ${FIGURES.lockout}.`,
        metric: logged('Lockouts'),
      },
    ]),
  ];
}
