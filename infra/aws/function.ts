import { Duration } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  type Code,
  Function as LambdaFunction,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Contract, Job } from '#lib/contract/contract';
import { variableFor } from '#lib/contract/needs';
import { memoryOf, needsOf, timeoutOf } from '#lib/routes';
import type { Binding } from './binding.ts';

export interface CoreFunctionProps<D extends Contract | Job> {
  readonly definition: D;
  readonly code: Code;
  readonly logGroup: LogGroup;
  readonly environment: Readonly<Record<string, string>>;
  /** Reserved concurrency; undefined to share that of the AWS account. */
  readonly reserved: number | undefined;
}

/**
 * The function of a contract, with the ID of the contract and a role of its own. The role may write its own log group and
 * its trace, and has the grants of `bind`. It has no AWS managed policy, which would allow every log group.
 */
export class CoreFunction<D extends Contract | Job = Contract | Job> extends Construct {
  readonly definition: D;
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, { definition, code, logGroup, environment, reserved }: CoreFunctionProps<D>) {
    super(scope, definition.id);
    this.definition = definition;
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(role);
    this.lambda = new LambdaFunction(this, 'Function', {
      description: definition.summary,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code,
      role,
      logGroup,
      environment,
      // Lambda's own spans only: the X-Ray SDK costs start-up time and a span for each call.
      tracing: Tracing.ACTIVE,
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
      for (const { actions, resource, conditions } of met.length > 0 ? grants(met) : [])
        this.lambda.addToRolePolicy(
          new PolicyStatement({ actions: [...actions], resources: [resource], conditions }),
        );
    }
  }
}
