import { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { FIGURES } from '#infra/openapi/texts/figures';
import { collectAudit } from '#lib/audit/jobs';
import { contract as login } from '#lib/login/login.contract';
import { rotateResourceKey } from '#lib/resource/jobs';
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

interface Failing {
  readonly errors: cloudwatch.IMetric;
  readonly all: cloudwatch.IMetric;
  /** Errors of a period that are too few for a share: a client that repeats one failing request has as many. */
  readonly fewerThan: number;
  readonly minutes: number;
}

/** Errors as a share of all in per cent, and 0 while they are few: at night, one of them is a third of a minute's requests. */
const shareOf = ({ errors, all, fewerThan, minutes }: Failing, label: string) =>
  new cloudwatch.MathExpression({
    expression: `IF(all > 0 && FILL(errors, 0) >= ${fewerThan}, 100 * FILL(errors, 0) / all, 0)`,
    usingMetrics: { errors, all },
    label,
    period: Duration.minutes(minutes),
  });

const ofSeverity = (
  severity: Severity,
  all: readonly Omit<AlarmDefinition, 'severity'>[],
): AlarmDefinition[] => all.map((one) => ({ ...one, severity }));

/** Every alarm of an instance except {@link OUTAGE}. */
export function alarmsOf(measures: Measures): AlarmDefinition[] {
  const { requests, serverErrors, ofTable, logged, ofFunction, failedJobs, failedEvents } = measures;
  const BELOW = cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD;
  return [
    ...ofSeverity('part', [
      {
        id: 'server-errors',
        loses: 'More than 1 % of requests are answered 5xx: logins or other requests of users fail.',
        // The client of this service makes three attempts: one that repeats them every minute stays below five.
        metric: shareOf({ errors: serverErrors, all: requests, fewerThan: 5, minutes: 1 }, '5xx in %'),
        threshold: 1,
        periods: 5,
        breaching: 3,
      },
      {
        id: 'login-unavailable',
        loses: 'More than 5 % of logins are answered 5xx: users without a session cannot log in.',
        // In a quiet month three people attempt to log in within a quarter of an hour, each more than once.
        metric: shareOf(
          {
            errors: logged('Outcomes', 'Sum', 15, { Route: login.id, Outcome: 'failed' }),
            all: ofFunction(login.id, 'Invocations'),
            fewerThan: 5,
            minutes: 15,
          },
          'failed logins in %',
        ),
        threshold: 5,
      },
      {
        id: 'slow-answers',
        loses: 'More than 1 % of requests take longer than 3 s: users wait, and some clients give up.',
        metric: shareOf(
          { errors: logged('SlowAnswers'), all: requests, fewerThan: 25, minutes: 5 },
          'slow answers in %',
        ),
        threshold: 1,
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
        id: 'some-errors',
        loses:
          'More than 1 % of the requests of an hour are answered 5xx: one client, or a few users, get no answer.',
        metric: shareOf({ errors: serverErrors, all: requests, fewerThan: 5, minutes: 60 }, '5xx in %'),
        threshold: 1,
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
        id: 'audit-silent',
        loses:
          'No audit line has reached the audit log for 15 minutes: it lacks what happens, and no function reports an error.',
        metric: logged('AuditHeartbeats'),
        threshold: 1,
        periods: 3,
        comparison: BELOW,
      },
      {
        id: 'audit-incomplete',
        loses: 'Audit entries are missing in `audit/browse`: administrators see them in the audit log only.',
        metric: logged('RefusedAuditLines'),
      },
      {
        id: 'rotation-failed',
        loses:
          'A signing key was not rotated: on a new instance all logins fail, or all tokens for other services; elsewhere none does yet.',
        metric: new cloudwatch.MathExpression({
          expression: 'SUM([sessions, resources])',
          usingMetrics: {
            sessions: ofFunction(rotateSigningKey.id, 'Errors'),
            resources: ofFunction(rotateResourceKey.id, 'Errors'),
          },
          label: 'errors of rotations',
        }),
      },
      {
        id: 'signing-key-old',
        loses: `The keys of sessions or of tokens for other services were not rotated for ${ROTATION_OVERDUE_DAYS} days: if one leaked, every account stays open to its holder.`,
        metric: logged('SigningKeyAge', 'Maximum'),
        threshold: ROTATION_OVERDUE_DAYS,
        missing: cloudwatch.TreatMissingData.IGNORE,
      },
      {
        // A ticket, since logins work. Where many ask for such tokens, `server-errors` pages; and an alarm that pages would roll back
        // a stack that waits, as it has to, for the keys of the one before.
        id: 'resource-key-missing',
        loses:
          'Tokens for other services are answered 503: their users get in there no more, while logins here work.',
        metric: logged('MissingResourceKeys'),
      },
      {
        // The job asks every hour; one failure is usual.
        id: 'issuer-unreachable',
        loses:
          'The keys of an issuer were not fetched for 3 hours: a day after the last success, its machines cannot sign in.',
        metric: logged('UnreachableIssuers', 'Sum', 60),
        periods: 3,
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
