import { Duration } from 'aws-cdk-lib';
import { ComparisonOperator, type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { login } from '#lib/account/contracts';
import { rotateSigningKey } from '#lib/session/jobs';
import type { Measures } from './measures.ts';

/** When somebody is called, and why that matters. */
export interface AlarmDefinition {
  /** Part of its name, and the anchor of its article. */
  readonly id: string;
  /** What users lose, in a sentence or two. */
  readonly loses: string;
  readonly metric: IMetric;
  readonly above: number;
  /** Periods of the metric that have to be above, of as many. */
  readonly periods?: number;
  readonly below?: true;
  /** Whether silence is the fault; otherwise it is none. */
  readonly silence?: 'is the fault' | 'changes nothing';
}

/** A key rotates on day 90, within that day; one that is older than this has missed it. */
const ROTATION_OVERDUE_DAYS = 92;

/** Every alarm of an instance. */
export function alarmsOf(measures: Measures): AlarmDefinition[] {
  const { requests, serverErrors, latency, ofTable, logged, ofFunction, deadLetters } = measures;
  return [
    {
      id: 'server-errors',
      loses: 'More than 1 % of requests are answered 5xx: users cannot log in, or what they do fails.',
      metric: new MathExpression({
        // A handful of failures among few requests wakes nobody.
        expression: 'IF(errors >= 5, 100 * errors / requests, 0)',
        usingMetrics: { errors: serverErrors(), requests: requests() },
        label: '5xx in %',
        period: Duration.minutes(5),
      }),
      above: 1,
    },
    {
      id: 'slow-answers',
      loses: 'One request of a hundred takes longer than 3 s: users wait, and some clients give up.',
      metric: latency('p99'),
      above: 3000,
      periods: 3,
    },
    {
      id: 'function-errors',
      loses:
        'Functions crash or run out of time: the requests that they had are answered 500, without a reason.',
      metric: logged('FunctionErrors', 'Sum'),
      above: 0,
    },
    {
      id: 'function-throttles',
      loses: 'Lambda refuses to run functions: requests are answered 5xx before any code sees them.',
      metric: logged('FunctionThrottles', 'Sum'),
      above: 0,
    },
    {
      id: 'table-throttles',
      loses: 'DynamoDB throttles the table: requests get slower, then are answered 503.',
      metric: ofTable('ThrottledRequests', 5, 'throttled requests'),
      above: 10,
    },
    {
      id: 'table-errors',
      loses: 'DynamoDB fails requests by its own fault: what users change may be answered 503.',
      metric: ofTable('SystemErrors', 5, 'system errors'),
      above: 10,
    },
    {
      id: 'events-waiting',
      loses: 'An event has waited for 10 minutes: other systems do not learn that an account was cancelled.',
      metric: logged('OldestPendingEvent', 'Maximum', 1),
      above: 600,
      periods: 3,
    },
    {
      id: 'events-set-aside',
      loses:
        'An event was refused for 24 hours and is tried no more: other systems still serve a cancelled account.',
      metric: logged('EventsSetAside', 'Maximum', 1),
      above: 0,
      silence: 'changes nothing',
    },
    ...(deadLetters
      ? ([
          {
            id: 'dead-letters',
            loses:
              'A run of a job was lost: what it had to do for users, such as publishing events, is late.',
            metric: deadLetters,
            above: 0,
          },
        ] as const)
      : []),
    {
      id: 'sweep-stopped',
      loses:
        'The outbox was not swept for 5 minutes: events that could not be published at once reach nobody.',
      metric: logged('OldestPendingEvent', 'SampleCount', 5),
      above: 1,
      below: true,
      silence: 'is the fault',
    },
    {
      id: 'rotation-failed',
      loses: 'The signing key was not rotated: users lose nothing yet; on a new instance nobody can log in.',
      metric: ofFunction(rotateSigningKey.id, 'Errors', 'Sum'),
      above: 0,
    },
    {
      id: 'signing-key-old',
      loses: `Session tokens are signed with a key past its ${ROTATION_OVERDUE_DAYS - 2} days: if it is known to somebody, every account stays open to them.`,
      metric: logged('SigningKeyAge', 'Maximum', 5),
      above: ROTATION_OVERDUE_DAYS,
      silence: 'changes nothing',
    },
    {
      id: 'failed-logins',
      loses: 'Logins fail by the hundred: somebody guesses passwords, or a client of users has lost its own.',
      metric: logged('FailedLogins', 'Sum'),
      above: 100,
    },
    {
      id: 'lockouts',
      loses:
        'An account is locked out after 50 failed logins: its owner cannot log in from a new place for 15 minutes.',
      metric: logged('Lockouts', 'Sum'),
      above: 0,
    },
    {
      id: 'login-unavailable',
      loses: 'Login is answered 5xx: nobody gets in who has no session yet.',
      metric: logged('Outcomes', 'Sum', 5, { Route: login.id, Outcome: 'failed' }),
      above: 4,
    },
  ];
}

export const operatorOf = ({ below }: AlarmDefinition) =>
  below ? ComparisonOperator.LESS_THAN_THRESHOLD : ComparisonOperator.GREATER_THAN_THRESHOLD;
