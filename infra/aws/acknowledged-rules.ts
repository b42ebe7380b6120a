import { type Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

interface Acknowledged {
  readonly id: string;
  readonly reason: string;
  /** Path of the only construct that need not follow it; all of the stack unless told. */
  readonly only?: string;
}

/** Rules of cdk-nag that this service does not follow, and why. `test/infra/nag.test.ts` allows no other finding. */
export const ACKNOWLEDGED: readonly Acknowledged[] = [
  {
    id: 'AwsSolutions-APIG4',
    reason:
      'The functions authorize: API tokens must die at once, cookies and the query carry credentials too, and which role a route asks for stands in its contract. An authorizer would cache, or read the account twice. test/integration/routes.test.ts tries every route without a credential.',
  },
  {
    id: 'Serverless-LambdaDLQ',
    reason:
      'Only asynchronous invocations reach a dead-letter queue. The gateway waits for its functions, and Secrets Manager tries a rotation again; the scheduled job has an on-failure destination instead, which keeps the error too.',
  },
  {
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'X-Ray knows no resources: what may be sent to it, and nothing else, is allowed on all of them. test/infra/functions.test.ts names these two actions, and refuses any other wildcard in a role of a function.',
  },
  {
    id: 'AwsSolutions-SQS3',
    only: 'Events/Failures',
    reason:
      'This queue is the dead-letter queue, of a rule and of a function; cdk-nag looks for queues that name it. Nothing receives from it, so no message of it can fail again.',
  },
  {
    id: 'Serverless-SQSRedrivePolicy',
    only: 'Events/Failures',
    reason:
      'The same rule in the other pack: a dead-letter queue that nothing receives from has nothing to redrive, and a queue behind it would stay empty for ever.',
  },
  {
    id: 'Serverless-SNSRedrivePolicy',
    only: 'Monitoring/Alarms',
    reason:
      'A mail that could not be sent is of no use in a queue which nobody reads: whoever misses it finds the state of the alarm on the dashboard, and CloudWatch sends the next change.',
  },
];

/** Acknowledges these rules. It changes nothing in the template. */
export function acknowledgeRules(stack: Stack): void {
  for (const { id, reason, only } of ACKNOWLEDGED) {
    const path = only?.split('/') ?? [];
    const scope = path.reduce<IConstruct>((parent, child) => parent.node.findChild(child), stack);
    Validations.of(scope).acknowledge({ id, reason });
  }
}
