import { type Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';

interface Acknowledged {
  readonly id: string;
  readonly reason: string;
  /** Path of the only construct that is exempt; by default the whole stack. */
  readonly only?: string;
}

/** Rules of cdk-nag that this service does not follow, with their reasons. `test/infra/nag.test.ts` allows no other finding. */
export const ACKNOWLEDGED: readonly Acknowledged[] = [
  {
    id: 'AwsSolutions-APIG4',
    reason:
      'The functions authorize: API tokens must end at once, cookies and the query carry credentials too, and the contract of a route names its role. An authorizer would cache, or read the account twice. test/integration/routes.test.ts calls every route without a credential.',
  },
  {
    id: 'Serverless-LambdaDLQ',
    reason:
      'Only asynchronous invocations reach a dead-letter queue. The gateway waits for its functions, and Secrets Manager retries a rotation. The scheduled job has an on-failure destination instead, which keeps the error too.',
  },
  {
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason:
      'X-Ray has no resources, so two actions that send traces are allowed on *. test/infra/functions.test.ts refuses any other wildcard in the role of a function.',
  },
  {
    id: 'AwsSolutions-SQS3',
    only: 'Events/Failures',
    reason:
      'This queue is the dead-letter queue, of a rule and of a function; cdk-nag looks for queues that name it. No consumer receives from it, so no message can fail again.',
  },
  {
    id: 'Serverless-SQSRedrivePolicy',
    only: 'Events/Failures',
    reason:
      'The same rule in the other pack: a dead-letter queue without a consumer has no failed messages, and its own dead-letter queue would stay empty.',
  },
  {
    id: 'Serverless-SNSRedrivePolicy',
    only: 'Monitoring/Alarms',
    reason:
      'No consumer would read undelivered mails from a queue: the dashboard shows the state of each alarm, and CloudWatch sends the next change.',
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
