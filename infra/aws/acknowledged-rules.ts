import { type CfnElement, Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { CoreFunction } from './function.ts';

/** A construct that is exempt, and the only finding that is; by default all findings of the rule. */
type Exempt = readonly [construct: IConstruct | undefined, finding?: string];

interface Acknowledged {
  readonly id: string;
  readonly reason: string;
  /** The only constructs that are exempt; by default the whole stack. */
  readonly only?: (stack: Stack, functions: readonly CoreFunction[]) => readonly Exempt[];
}

/** Constructs by their paths, if the stack has them. */
const at =
  (...paths: readonly string[]) =>
  (stack: Stack) =>
    paths.map((path): Exempt => {
      const names = path.split('/');
      return [names.reduce<IConstruct | undefined>((it, name) => it?.node.tryFindChild(name), stack)];
    });

/** cdk-nag names a reference by its logical ID. */
const logicalIdOf = (logGroup: IConstruct) =>
  Stack.of(logGroup).resolve(
    Stack.of(logGroup).getLogicalId(logGroup.node.defaultChild as CfnElement),
  ) as string;

const resource = (service: string, name: string) =>
  `Resource::arn:<AWS::Partition>:${service}:<AWS::Region>:<AWS::AccountId>:${name}`;

const QUEUES = at('Events/Failures', 'Events/FailedEvents');

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
    id: 'AwsSolutions-IAM5',
    only: (stack, functions) => [
      ...functions.map((fn): Exempt => {
        const streams = `<${logicalIdOf(fn.lambda.logGroup)}>:log-stream:*/${fn.name}[*`;
        return [fn, resource('logs', `log-group:${streams}`)];
      }),
      ...[
        resource('cloudformation', `stack/${stack.stackName}/*`),
        resource('events', `rule/${stack.stackName}/*`),
        resource('events', 'replay/admin-*'),
      ].map((finding): Exempt => [stack.node.findChild('Operators'), finding]),
    ],
    reason:
      'Lambda puts a date and an ID around the name of the function in the name of a log stream. test/infra/functions.test.ts refuses any other wildcard in the role of a function. In policies of operators wildcards stand for the ID of the stack, the rules of its bus, and replays of the command.',
  },
  {
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
    only: at('Data/Backup/Table/Role'),
    reason:
      'AWS Backup documents this policy as the one of its role, and extends it with its features. AWS Backup alone may assume the role, which exists only with the option backupDays.',
  },
  {
    id: 'Serverless-LambdaTracing',
    reason:
      'Without the X-Ray SDK, which costs start-up time and a span for each call, a trace shows the function only. Each log line has the times of a request, and errors name service and operation.',
  },
  {
    id: 'AwsSolutions-SQS3',
    only: QUEUES,
    reason:
      'These queues are dead-letter queues, of the bus, of rules and of functions; cdk-nag looks for queues that name them. No consumer receives from them, so no message can fail again.',
  },
  {
    id: 'Serverless-SQSRedrivePolicy',
    only: QUEUES,
    reason:
      'The same rule in the other pack: a dead-letter queue without a consumer has no failed messages, and its own dead-letter queue would stay empty.',
  },
  {
    id: 'Serverless-SNSRedrivePolicy',
    only: at('Monitoring/Alarms', 'Monitoring/Pages'),
    reason:
      'No consumer would read undelivered mails from a queue: the dashboard shows the state of each alarm, and CloudWatch sends the next change.',
  },
];

/** Acknowledges these rules. It changes nothing in the template. */
export function acknowledgeRules(stack: Stack, functions: readonly CoreFunction[]): void {
  for (const { id, reason, only } of ACKNOWLEDGED)
    for (const [construct, finding] of only?.(stack, functions) ?? [[stack]])
      if (construct)
        Validations.of(construct).acknowledge({ id: finding ? `${id}[${finding}]` : id, reason });
}
