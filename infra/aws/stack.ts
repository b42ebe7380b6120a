import { Aws, CfnOutput, Stack } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Configuration } from '#infra/stages/configuration';
import type { Contract, Job } from '#lib/contract/contract';
import { APP_ID, ENVIRONMENT } from '#lib/environment';
import { contracts, jobs, reservedOf } from '#lib/routes';
import { settingVariable } from '#lib/settings';
import { acknowledgeRules } from './acknowledged-rules.ts';
import { Api } from './api.ts';
import { Audit } from './audit.ts';
import { logErrorsOf } from './bus/error-log.ts';
import { EventSchemas } from './bus/event-schemas.ts';
import { Data } from './data.ts';
import { Events } from './events.ts';
import { CoreFunction } from './function.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { Observability } from './observability.ts';
import { domainOf } from './stage/domain.ts';
import { letSubscribe } from './stage/subscribers.ts';

/** One instance of the service. Several may live in one account and region, each under its own name. */
export class CoreAccountStack extends Stack {
  /** @param codeOf the bundle of a function, by its id */
  constructor(scope: Construct, configuration: Configuration, codeOf: (id: string) => Code) {
    const { stackName: name, settings, environment, tags, terminationProtection } = configuration;
    super(scope, name, { description: 'Accounts, API tokens and sessions', tags, terminationProtection });
    const data = new Data(this, 'Data', configuration);
    const events = new Events(this, 'Events', { name, archiveDays: configuration.archiveDays });
    letSubscribe(events.bus, configuration);
    const observability = new Observability(this, 'Observability', configuration.logRetentionDays);
    const domain = domainOf(this, configuration);
    const accessLog = observability.vendedLogGroup('api', name);
    logErrorsOf(this, events.bus, name, observability.vendedLogGroup('bus', name));
    new EventSchemas(this, 'EventSchemas', name);
    const api = new Api(this, 'Api', {
      name,
      allowedOrigins: settings.CorsAllowedOrigins,
      accessLog,
      domain,
    });
    const audit = new Audit(this, 'Audit');

    const resources = [data.tableBinding, data.signingKeyBinding, events.binding, audit.binding];
    const build = <D extends Contract | Job>(definition: D) => {
      const built = new CoreFunction(this, {
        definition,
        code: codeOf(definition.id),
        logGroup: observability.logGroup(definition.id),
        reserved: configuration.reservedConcurrency ? reservedOf(definition) : undefined,
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
    for (const endpoint of endpoints) api.serve(endpoint);
    const builtJobs = jobs.map(build);
    const rotations = builtJobs.filter(({ definition }) => definition.trigger === 'secret-rotation');
    for (const job of builtJobs) {
      const { trigger } = job.definition;
      if (trigger === 'secret-rotation') data.signingKey.rotateWith(job);
      else if (trigger === 'audit-lines') audit.collectWith(job, [...endpoints, ...rotations]);
      else events.schedule(job, trigger.everyMinutes);
    }
    new Monitoring(this, 'Monitoring', {
      name,
      api,
      functions: [...endpoints, ...builtJobs],
      table: data.table,
      deadLetters: events.failures,
      accessLog,
      alarmEmail: configuration.alarmEmail || undefined,
      repositoryUrl: configuration.repositoryUrl || undefined,
    });

    this.output('InstanceName', name);
    this.output('ApiUrl', api.url);
    this.output('TableName', data.table.tableName);
    this.output('EventBusName', events.bus.eventBusName);
    this.output('EventBusArn', events.bus.eventBusArn);
    this.output('ArchiveArn', events.archive.archiveArn);
    this.output('SigningKeySecretId', data.signingKey.secret.secretArn);
    this.output('AuditLogGroupName', audit.logGroup.logGroupName);
    this.output('BcryptCost', String(settings.BcryptCost));
    this.output('PublishedEvents', settings.Events.join(','));
    this.output('FirstAdministratorCommand', firstAdministrator(name));
    if (domain) this.output('DomainTarget', domain.regionalDomainName);
    acknowledgeRules(this);
  }

  /** Operator commands find the instance through these names. */
  private output(name: string, value: string): void {
    new CfnOutput(this, name, { value });
  }
}

/** What an operator runs once, after the first deployment; it asks nobody, and reads the password unseen. */
const firstAdministrator = (stackName: string) =>
  `printf 'Password: '; read -rs PASSWORD; echo; printf %s "$PASSWORD" | npm run -s admin -- --stack ${stackName} --region ${Aws.REGION} account create admin --role sys_administrator --role sys_tokens --password-stdin`;
