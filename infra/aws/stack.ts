import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Contract, Job } from '#lib/contract/contract';
import { APP_ID, ENVIRONMENT } from '#lib/environment';
import { contracts, jobs } from '#lib/routes';
import { settingVariable } from '#lib/settings';
import { Api } from './api.ts';
import { Audit } from './audit.ts';
import type { StackContext } from './context.ts';
import { Data } from './data.ts';
import { Events } from './events.ts';
import { CoreFunction } from './function.ts';
import { Observability } from './observability.ts';

/** One instance of the service. Several may live in one account and region, each under its own name. */
export class CoreAccountStack extends Stack {
  /** @param codeOf the bundle of a function, by its id */
  constructor(scope: Construct, { name, settings, environment }: StackContext, codeOf: (id: string) => Code) {
    super(scope, name, { description: 'Accounts, API tokens and sessions' });
    const data = new Data(this, 'Data');
    const events = new Events(this, 'Events', name);
    const observability = new Observability(this, 'Observability');
    const api = new Api(this, 'Api', {
      name,
      allowedOrigins: settings.CorsAllowedOrigins,
      accessLog: observability.gatewayLogGroup('api', name),
    });
    const audit = new Audit(this, 'Audit');

    const resources = [data.tableBinding, data.signingKey.binding, events.binding, audit.binding];
    const build = <D extends Contract | Job>(definition: D) => {
      const built = new CoreFunction(this, {
        definition,
        code: codeOf(definition.id),
        logGroup: observability.logGroup(definition.id),
        environment: {
          ...environment,
          [ENVIRONMENT.instance]: name,
          [APP_ID]: definition.id,
          [settingVariable('ApiUrl')]: settings.ApiUrl || api.url,
        },
      });
      built.bind(resources);
      return built;
    };

    const endpoints = contracts.map(build);
    for (const built of endpoints) api.serve(built);
    for (const job of jobs) {
      if (job.trigger === 'secret-rotation') data.signingKey.rotateWith(build(job));
      else if (job.trigger === 'audit-lines') audit.collectWith(build(job), endpoints);
      else events.schedule(build(job), job.trigger.everyMinutes);
    }

    this.output('InstanceName', name);
    this.output('ApiUrl', api.url);
    this.output('TableName', data.table.tableName);
    this.output('EventBusName', events.bus.eventBusName);
    this.output('SigningKeySecretId', data.signingKey.secret.secretArn);
    this.output('AuditLogGroupName', audit.logGroup.logGroupName);
    this.output('BcryptCost', String(settings.BcryptCost));
  }

  /** Operator commands find the instance through these names. */
  private output(name: string, value: string): void {
    new CfnOutput(this, name, { value });
  }
}
