import { type Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { CoreFunction } from './function.ts';

interface Acknowledged {
  readonly id: string;
  readonly reason: string;
  /** The only constructs that are exempt; by default the whole stack. */
  readonly only?: keyof Parts;
  /** The only findings that are exempt; by default all of the rule. */
  readonly findings?: (stack: Stack, parts: Parts) => readonly string[];
}

interface Parts {
  readonly functions: readonly CoreFunction[];
  readonly data: readonly IConstruct[];
  readonly queues: readonly IConstruct[];
  readonly topics: readonly IConstruct[];
}

/** The wildcards of the template; cdk-nag names a reference by its logical ID. */
const wildcards = (stack: Stack, { functions }: Parts) =>
  [
    ...functions.map(({ name, lambda: { logGroup } }) => {
      const { Ref: id } = stack.resolve(logGroup.logGroupName) as { Ref: string };
      return `logs:<AWS::Region>:<AWS::AccountId>:log-group:<${id}>:log-stream:*/${name}[*`;
    }),
    `cloudformation:<AWS::Region>:<AWS::AccountId>:stack/${stack.stackName}/*`,
    `events:<AWS::Region>:<AWS::AccountId>:rule/${stack.stackName}/*`,
    'events:<AWS::Region>:<AWS::AccountId>:replay/admin-*',
  ].map((arn) => `Resource::arn:<AWS::Partition>:${arn}`);

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
      'Only asynchronous invocations reach a dead-letter queue. The gateway waits for its functions, and Secrets Manager retries a rotation. Jobs have an on-failure destination instead, which keeps the error too.',
  },
  {
    id: 'AwsSolutions-IAM5',
    findings: wildcards,
    reason:
      'Lambda puts a date and an ID around the name of the function in the name of a log stream. In policies of operators wildcards stand for the ID of the stack, the rules of its bus, and replays of the command. cdk-nag finds any other wildcard.',
  },
  {
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
    only: 'data',
    reason:
      'AWS Backup documents this policy as the one of its role, and extends it with its features. AWS Backup alone may assume the role, which exists only with the option backupDays.',
  },
  {
    id: 'AwsSolutions-SMG4',
    only: 'data',
    reason:
      'The key of the hashes of erased usernames never changes: with another one, no erased name would be found. The signing key is rotated.',
  },
  {
    id: 'Serverless-LambdaTracing',
    reason:
      'Without the X-Ray SDK, which costs start-up time and a span for each call, a trace shows the function only. Each log line has the times of a request, and errors name service and operation.',
  },
  {
    id: 'AwsSolutions-SQS3',
    only: 'queues',
    reason:
      'These queues are dead-letter queues, of the bus, of rules and of functions; cdk-nag looks for queues that name them. No consumer receives from them, so no message can fail again.',
  },
  {
    id: 'Serverless-SQSRedrivePolicy',
    only: 'queues',
    reason:
      'The same rule in the other pack: a dead-letter queue without a consumer has no failed messages, and its own dead-letter queue would stay empty.',
  },
  {
    id: 'Serverless-SNSRedrivePolicy',
    only: 'topics',
    reason:
      'No consumer would read undelivered mails from a queue: the dashboard shows the state of each alarm, and CloudWatch sends the next change.',
  },
];

/** Acknowledges these rules. It changes nothing in the template. */
export function acknowledgeRules(stack: Stack, parts: Parts): void {
  for (const { id, reason, only, findings } of ACKNOWLEDGED)
    for (const construct of only ? parts[only] : [stack])
      for (const finding of findings?.(stack, parts).map((one) => `[${one}]`) ?? [''])
        Validations.of(construct).acknowledge({ id: `${id}${finding}`, reason });
}
