import { Duration } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, type Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Contract, Job } from '#lib/contract/contract';
import { variableFor } from '#lib/contract/needs';
import { memoryOf, needsOf, timeoutOf } from '#lib/routes';
import { type Binding, type Grant, statementOf } from './binding.ts';
import { streamsOf } from './observability.ts';

export interface CoreFunctionProps<D extends Contract | Job> {
  readonly definition: D;
  readonly instance: string;
  readonly code: Code;
  readonly logGroup: LogGroup;
  readonly environment: Readonly<Record<string, string>>;
  /** Reserved concurrency; undefined to share that of the AWS account. */
  readonly reserved: number | undefined;
}

/** The name of the function of a definition: `account.login` of `core-account` is `core-account-account-login`. */
export const functionNameOf = (instance: string, id: string) => `${instance}-${id.replaceAll('.', '-')}`;

/**
 * The function of a contract, with a role of its own. The role may write its own streams of the shared log group, and has
 * the grants of `bind`. It has no AWS managed policy, which would allow every log group.
 */
export class CoreFunction<D extends Contract | Job = Contract | Job> extends Construct {
  readonly definition: D;
  readonly name: string;
  readonly lambda: LambdaFunction;
  /** Part of the role: a policy of its own would be one more resource for each function. */
  readonly policy = new PolicyDocument();

  constructor(scope: Construct, props: CoreFunctionProps<D>) {
    const { definition, instance, code, logGroup, environment, reserved } = props;
    super(scope, definition.id);
    this.definition = definition;
    this.name = functionNameOf(instance, definition.id);
    this.policy.addStatements(...ownStreams(logGroup, this.name));
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { Grants: this.policy },
    });
    this.lambda = new LambdaFunction(this, 'Function', {
      functionName: this.name,
      description: definition.summary,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code,
      role,
      logGroup,
      environment,
      memorySize: memoryOf(definition),
      timeout: Duration.seconds(timeoutOf(definition)),
      reservedConcurrentExecutions: reserved,
    });
  }

  /**
   * Sets the variables of the resources that the contract needs, and grants exactly these needs.
   *
   * @throws Error that lists the needs that no resource meets
   */
  bind(resources: readonly Binding[]): void {
    const needs = [...needsOf(this.definition)];
    const unmet = needs.filter((need) => !resources.some(({ meets }) => meets(need)));
    if (unmet.length > 0)
      throw new Error(`${this.definition.id} needs ${unmet.join(', ')}, which no resource grants`);
    for (const { value, meets, grants } of resources) {
      const met = needs.filter(meets);
      for (const need of met) this.lambda.addEnvironment(variableFor(need), value);
      if (met.length > 0) this.allow(...grants(met));
    }
  }

  allow(...grants: readonly Grant[]): void {
    this.policy.addStatements(...grants.map(statementOf));
  }
}

/**
 * Lambda puts the name of the function into the name of a stream of a shared log group: `YYYY/MM/DD/<name>[<version>]<ID>`.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-loggroups.html
 */
function ownStreams(logGroup: LogGroup, functionName: string): PolicyStatement[] {
  return [
    new PolicyStatement({ actions: ['logs:CreateLogStream'], resources: [logGroup.logGroupArn] }),
    new PolicyStatement({
      actions: ['logs:PutLogEvents'],
      resources: [streamsOf(logGroup, `*/${functionName}[*`)],
    }),
  ];
}
