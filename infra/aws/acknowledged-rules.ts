import { type CfnElement, Stack, Validations } from 'aws-cdk-lib';
import type { IConstruct } from 'constructs';
import type { CoreFunction } from './function.ts';

interface Acknowledged {
  readonly id: string;
  readonly reason: string;
  /** Paths of the only constructs that are exempt; by default the whole stack. */
  readonly only?: readonly string[];
  /** The only finding of each function that is exempt. */
  readonly finding?: (of: CoreFunction) => string;
  /** The only findings of the policies of operators that are exempt. */
  readonly findingsOfOperators?: (stackName: string) => readonly string[];
}

/** cdk-nag names a reference by its logical ID. */
const logicalIdOf = (logGroup: IConstruct) =>
  Stack.of(logGroup).resolve(
    Stack.of(logGroup).getLogicalId(logGroup.node.defaultChild as CfnElement),
  ) as string;

const QUEUES = ['Events/Failures', 'Events/FailedEvents'];

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
    finding: ({ name, lambda }) =>
      `Resource::arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:log-group:<${logicalIdOf(lambda.logGroup)}>:log-stream:*/${name}[*`,
    findingsOfOperators: (stackName) =>
      [`cloudformation stack/${stackName}/*`, `events rule/${stackName}/*`, 'events replay/admin-*'].map(
        (one) => `Resource::arn:<AWS::Partition>:${one.replace(' ', ':<AWS::Region>:<AWS::AccountId>:')}`,
      ),
    reason:
      'Lambda puts a date and an ID around the name of the function in the name of a log stream. test/infra/functions.test.ts refuses any other wildcard in the role of a function. In policies of operators wildcards stand for the ID of the stack, the rules of its bus, and replays of the command.',
  },
  {
    id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
    only: ['Data/Backup/Table/Role'],
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
    only: ['Monitoring/Alarms', 'Monitoring/Pages'],
    reason:
      'No consumer would read undelivered mails from a queue: the dashboard shows the state of each alarm, and CloudWatch sends the next change.',
  },
];

/** Acknowledges these rules. It changes nothing in the template. */
export function acknowledgeRules(stack: Stack, functions: readonly CoreFunction[]): void {
  for (const { id, reason, only, finding, findingsOfOperators } of ACKNOWLEDGED) {
    for (const one of findingsOfOperators?.(stack.stackName) ?? [])
      Validations.of(stack.node.findChild('Operators')).acknowledge({ id: `${id}[${one}]`, reason });
    if (finding)
      for (const fn of functions) Validations.of(fn).acknowledge({ id: `${id}[${finding(fn)}]`, reason });
    for (const path of finding ? [] : (only ?? [''])) {
      const parts = path.split('/').filter(Boolean);
      const scope = parts.reduce<IConstruct | undefined>(
        (parent, child) => parent?.node.tryFindChild(child),
        stack,
      );
      if (scope) Validations.of(scope).acknowledge({ id, reason });
    }
  }
}
