import { Aws, CfnOutput, Stack } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Configuration } from '#infra/stages/configuration';
import type { Contract, Job } from '#lib/contract/contract';
import { APP_ID, ENVIRONMENT } from '#lib/environment';
import { contracts, jobs, reservedOf } from '#lib/routes';
import { settingVariable } from '#lib/settings';
import { acknowledgeRules } from './acknowledged-rules.ts';
import { Api, domainOf } from './api.ts';
import { Audit } from './audit.ts';
import { Data } from './data.ts';
import { EventSchemas } from './event-schemas.ts';
import { Events, letSubscribe, logErrorsOf } from './events.ts';
import { CoreFunction } from './function.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { Observability } from './observability.ts';

/** One instance of the service. An account and region may have several, each with its own name. */
export class CoreAccountStack extends Stack {
  /** @param codeOf returns the bundle of a function, by its ID */
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
    const allowedOrigins = settings.CorsAllowedOrigins;
    const api = new Api(this, 'Api', { name, allowedOrigins, accessLog, domain });
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

    /** Operator commands find the instance through these names. */
    const outputs = {
      InstanceName: name,
      ApiUrl: api.url,
      TableName: data.table.tableName,
      EventBusName: events.bus.eventBusName,
      EventBusArn: events.bus.eventBusArn,
      ArchiveArn: events.archive.archiveArn,
      SigningKeySecretId: data.signingKey.secret.secretArn,
      AuditLogGroupName: audit.logGroup.logGroupName,
      BcryptCost: String(settings.BcryptCost),
      PublishedEvents: settings.Events.join(','),
      FirstAdministratorCommand: firstAdministrator(name),
      ...(domain ? { DomainTarget: domain.regionalDomainName } : {}),
    };
    for (const [id, value] of Object.entries(outputs)) new CfnOutput(this, id, { value });
    acknowledgeRules(this);
  }
}

/** Command that operators run once, after the first deployment; the terminal does not show the password. */
const firstAdministrator = (stackName: string) =>
  `printf 'Password: '; read -rs PASSWORD; echo; printf %s "$PASSWORD" | npm run -s admin -- --stack ${stackName} --region ${Aws.REGION} account create admin --role sys_administrator --role sys_tokens --password-stdin`;
