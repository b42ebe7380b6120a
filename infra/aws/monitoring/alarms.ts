import {
  ComparisonOperator,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { login } from '#lib/account/contracts';
import { rotateSigningKey } from '#lib/session/jobs';
import type { Measures } from './measures.ts';

/** An alarm; by default it compares one period, and missing data are no fault. */
export interface AlarmDefinition {
  /** Part of its name, and the anchor of its article. */
  readonly id: string;
  /** What users lose, in a sentence or two. */
  readonly loses: string;
  readonly metric: IMetric;
  readonly threshold: number;
  readonly periods?: number;
  readonly comparison?: ComparisonOperator;
  readonly missing?: TreatMissingData;
}

/** A key rotates within day 90; an older key has missed its rotation. */
const ROTATION_OVERDUE_DAYS = 92;

/** Every alarm of an instance. */
export function alarmsOf(measures: Measures): AlarmDefinition[] {
  const { requests, serverErrors, latency, ofTable, logged, ofFunction, deadLetters } = measures;
  return [
    {
      id: 'server-errors',
      loses: 'More than 1 % of requests are answered 5xx: logins or other requests of users fail.',
      metric: new MathExpression({
        // A handful of failures among few requests raises no alarm.
        expression: 'IF(errors >= 5, 100 * errors / requests, 0)',
        usingMetrics: { errors: serverErrors, requests },
        label: '5xx in %',
      }),
      threshold: 1,
    },
    {
      id: 'slow-answers',
      loses: 'One request of a hundred takes longer than 3 s: users wait, and some clients give up.',
      metric: latency('p99'),
      threshold: 3000,
      periods: 3,
    },
    {
      id: 'function-errors',
      loses: 'Functions crash or run out of time: their requests are answered 500, without a reason.',
      metric: logged('FunctionErrors'),
      threshold: 0,
    },
    {
      id: 'function-throttles',
      loses: 'Lambda refuses to run functions: requests are answered 5xx before any code runs.',
      metric: logged('FunctionThrottles'),
      threshold: 0,
    },
    {
      id: 'table-throttles',
      loses: 'DynamoDB throttles the table: requests become slower, then are answered 503.',
      metric: ofTable('ThrottledRequests'),
      threshold: 10,
    },
    {
      id: 'table-errors',
      loses: 'DynamoDB fails requests by its own fault: changes by users may be answered 503.',
      metric: ofTable('SystemErrors'),
      threshold: 10,
    },
    {
      id: 'events-waiting',
      loses: 'An event has waited for 10 minutes: other systems do not learn that an account was cancelled.',
      metric: logged('OldestPendingEvent', 'Maximum', 1),
      threshold: 600,
      periods: 3,
    },
    {
      id: 'events-set-aside',
      loses:
        'An event was refused for 24 hours and is dead-lettered: other systems may serve a cancelled account.',
      metric: logged('EventsSetAside', 'Maximum', 1),
      threshold: 0,
      missing: TreatMissingData.IGNORE,
    },
    {
      id: 'dead-letters',
      loses: 'A run of a job was lost: its work for users, such as publishing events, is late.',
      metric: deadLetters,
      threshold: 0,
    },
    {
      id: 'sweep-stopped',
      loses:
        'The outbox was not swept for 5 minutes: events that were not published at once reach no subscriber.',
      metric: logged('OldestPendingEvent', 'SampleCount'),
      threshold: 1,
      comparison: ComparisonOperator.LESS_THAN_THRESHOLD,
      missing: TreatMissingData.BREACHING,
    },
    {
      id: 'rotation-failed',
      loses: 'The signing key was not rotated: users lose nothing yet; on a new instance all logins fail.',
      metric: ofFunction(rotateSigningKey.id, 'Errors'),
      threshold: 0,
    },
    {
      id: 'signing-key-old',
      loses: `Session tokens are signed with a key older than ${ROTATION_OVERDUE_DAYS - 2} days: if it leaked, every account stays open to its holder.`,
      metric: logged('SigningKeyAge', 'Maximum'),
      threshold: ROTATION_OVERDUE_DAYS,
      missing: TreatMissingData.IGNORE,
    },
    {
      id: 'failed-logins',
      loses: 'Logins fail by the hundred: an attacker guesses passwords, or a client has a wrong one.',
      metric: logged('FailedLogins'),
      threshold: 100,
    },
    {
      id: 'lockouts',
      loses:
        'An account is locked out after 50 failed logins: its owner cannot log in from a new place for 15 minutes.',
      metric: logged('Lockouts'),
      threshold: 0,
    },
    {
      id: 'login-unavailable',
      loses: 'Login is answered 5xx: users without a session cannot log in.',
      metric: logged('Outcomes', 'Sum', 5, { Route: login.id, Outcome: 'failed' }),
      threshold: 4,
    },
  ];
}
