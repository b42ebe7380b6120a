import { Aws, CfnOutput, Stack } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { type Configuration, passkeyDomainOf } from '#infra/stages/configuration';
import { DEAD_LETTER_DAYS } from '#infra/stages/options';
import { refillAudit } from '#lib/audit/jobs';
import type { Contract, Job } from '#lib/contract/contract';
import { contract as erase } from '#lib/erasure/erase.contract';
import type { Retentions } from '#lib/erasure/kept';
import { APP_ID, ENVIRONMENT } from '#lib/instance/environment';
import { settingVariable, settingVariables } from '#lib/instance/settings';
import { relayOutbox } from '#lib/outbox/jobs';
import { contracts, jobs, needsOf, reservedOf } from '#lib/routes';
import { acknowledgeRules } from './acknowledged-rules.ts';
import { Api, domainOf } from './api.ts';
import { Audit } from './audit.ts';
import { type Bundle, FILES } from './bundle.ts';
import { Data } from './data.ts';
import { EventSchemas } from './event-schemas.ts';
import { Events, letSubscribe, logErrorsOf } from './events.ts';
import { CoreFunction, functionNameOf } from './function.ts';
import { issuersOutput } from './issuers-output.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { rollbackTriggers } from './monitoring/rollback.ts';
import { observability, readableLog } from './observability.ts';
import { Operators } from './operators.ts';

/** One instance of the service. An account and region may have several, each with its own name. */
export class CoreAccountStack extends Stack {
  /**
   * @param bundleOf returns the bundle of a function, by its ID
   * @param served endpoints; tests add more
   */
  constructor(
    scope: Construct,
    configuration: Configuration,
    bundleOf: (id: string) => Bundle,
    served: readonly Contract[] = contracts,
  ) {
    const { stackName: name, settings, tags, terminationProtection, account, region } = configuration;
    super(scope, name, {
      description: 'Accounts, API tokens and sessions',
      tags,
      terminationProtection,
      // The limit of 1 MB counts white space; CDK still warns of the size with it.
      suppressTemplateIndentation: true,
      // CDK refuses to deploy with credentials of another account or region.
      ...(account ? { env: { account, region } } : {}),
    });
    const key = configuration.kmsKeyArn ? Key.fromKeyArn(this, 'Key', configuration.kmsKeyArn) : undefined;
    const data = new Data(this, 'Data', { ...configuration, key });
    const events = new Events(this, 'Events', { name, archiveDays: configuration.archiveDays, key });
    letSubscribe(events.bus, configuration);
    if (configuration.backupDays > 0) events.keepFailedBackups(data.table);
    const logs = observability(this, name, configuration.logRetentionDays, key);
    const domain = domainOf(this, configuration);
    logErrorsOf(this, events.bus, name, logs.bus);
    new EventSchemas(this, 'EventSchemas', name);
    const allowedOrigins = settings.CorsAllowedOrigins;
    const api = new Api(this, 'Api', { name, allowedOrigins, accessLog: logs.gateway, domain });
    const audit = new Audit(this, 'Audit', key);

    const resources = [
      data.tableBinding,
      data.signingKey.binding,
      data.resourceKey.binding,
      data.erasureKey.binding,
      events.binding,
      audit.binding,
      readableLog(logs.functions),
    ];
    const ofSettings = {
      ...configuration.environment,
      [settingVariable('ApiUrl')]: settings.ApiUrl || api.url,
    };
    const build = <D extends Contract | Job>(definition: D) => {
      const bundle = bundleOf(definition.id);
      const built = new CoreFunction(this, {
        definition,
        instance: name,
        code: bundle.code,
        logGroup: logs.functions,
        reserved: configuration.reservedConcurrency ? reservedOf(definition) : undefined,
        environment: {
          ...settingVariables(
            ofSettings,
            bundle.settings.filter((setting) => !(setting in FILES)),
          ),
          [ENVIRONMENT.instance]: name,
          [APP_ID]: definition.id,
          ...(definition.id === erase.id && { [ENVIRONMENT.retentions]: retentionsOf(configuration) }),
        },
      });
      built.bind(resources);
      return built;
    };

    const endpoints = served.map(build);
    for (const endpoint of endpoints) api.serve(endpoint);
    const builtJobs = jobs.map(build);
    for (const job of builtJobs) {
      const { trigger } = job.definition;
      if (trigger === 'secret-rotation') {
        const rotatesResources = needsOf(job.definition).has('resource-key:rotate');
        (rotatesResources ? data.resourceKey : data.signingKey).rotateWith(job);
      } else if (trigger === 'audit-lines') {
        audit.collectWith(job, logs.functions);
        events.keepFailures(job);
      } else if (trigger !== 'command')
        events.schedule(job, trigger === 'probe' ? PROBE_MINUTES : trigger.everyMinutes);
    }
    const monitoring = new Monitoring(this, 'Monitoring', {
      name,
      api,
      functions: [...endpoints, ...builtJobs],
      table: data.table,
      events,
      logs,
      key,
      configuration,
    });

    const arnOf = (service: string, resource: string, resourceName: string) =>
      this.formatArn({ service, resource, resourceName });
    const rotations = builtJobs.filter(({ definition }) => definition.trigger === 'secret-rotation');
    const relays = builtJobs.filter(({ definition }) => definition === relayOutbox);
    const refills = builtJobs.filter(({ definition }) => definition === refillAudit);
    const replay = arnOf('events', 'replay', 'admin-*');
    const operators = new Operators(this, 'Operators', resources, (group) => ({
      // CloudFormation authorizes a request that names a stack for each ID of a stack with this name.
      stack: [arnOf('cloudformation', 'stack', `${name}/*`)],
      audit: [audit.logGroup.logGroupArn],
      'audit-lines': [audit.streamOfOperators(group)],
      description: [data.table.tableArn],
      secret: [data.signingKey, data.resourceKey].map(({ secret }) => secret.secretArn),
      rotation: rotations.map(({ lambda }) => lambda.functionArn),
      relay: relays.map(({ lambda }) => lambda.functionArn),
      refill: refills.map(({ lambda }) => lambda.functionArn),
      rule: [arnOf('events', 'rule', `${name}/*`)],
      archive: [events.archive.archiveArn, events.bus.eventBusArn, replay],
      replay: [replay],
    }));

    /** Operator commands find the instance through these names. */
    const outputs = {
      InstanceName: name,
      ApiUrl: api.url,
      PasskeyDomain: passkeyDomainOf(configuration) ?? api.host,
      TableName: data.table.tableName,
      RelayFunctionName: functionNameOf(name, relayOutbox.id),
      RefillFunctionName: functionNameOf(name, refillAudit.id),
      EventBusName: events.bus.eventBusName,
      EventBusArn: events.bus.eventBusArn,
      ArchiveArn: events.archive.archiveArn,
      SigningKeySecretId: data.signingKey.secret.secretArn,
      ResourceKeySecretId: data.resourceKey.secret.secretArn,
      ErasureKeySecretId: data.erasureKey.secret.secretArn,
      AuditLogGroupName: audit.logGroup.logGroupName,
      BcryptCost: String(settings.BcryptCost),
      TokenMaxDays: String(settings.TokenMaxDays),
      ErasureAfterDays: String(settings.ErasureAfterDays),
      PublishedEvents: settings.Events.join(','),
      Issuers: issuersOutput(settings.Issuers),
      Issuer: settings.Issuer || api.url,
      FirstAdministratorCommand: firstAdministrator(name),
      PageTopicArn: monitoring.topics.page.topicArn,
      TicketTopicArn: monitoring.topics.ticket.topicArn,
      RollbackTriggersCommand: rollbackTriggers(name, monitoring.pages),
      ...operators.outputs,
      ...(domain ? { DomainTarget: domain.regionalDomainName } : {}),
    };
    for (const [id, value] of Object.entries(outputs)) new CfnOutput(this, id, { value });
    acknowledgeRules(this, {
      functions: [...endpoints, ...builtJobs],
      data: [data],
      queues: [events.failedJobs, events.failedEvents],
      topics: Object.values(monitoring.topics),
    });
  }
}

const PROBE_MINUTES = 1;

/** How long the resources of the stack keep data, which the answer to an erasure names. */
const retentionsOf = ({ logRetentionDays, archiveDays, backupDays }: Configuration) =>
  JSON.stringify({
    logs: logRetentionDays,
    archive: archiveDays,
    backups: backupDays,
    deadLetters: DEAD_LETTER_DAYS,
  } satisfies Retentions);

/** Command that operators run once, after the first deployment; the terminal does not show the password. */
const firstAdministrator = (stackName: string) =>
  `printf 'Password: '; read -rs PASSWORD; echo; printf %s "$PASSWORD" | npm run -s admin -- --stack ${stackName} --region ${Aws.REGION} account create admin --role sys_administrator --role sys_tokens --password-stdin`;
