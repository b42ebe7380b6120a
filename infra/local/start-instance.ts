import { hostname } from 'node:os';
import { bundleFile } from '#infra/bundle';
import { settingsReadBy } from '#infra/bundle/settings';
import { systemUser } from '#infra/system-user';
import type { WatchedBundles } from '#infra/watch-bundles';
import { streamOf, VERIFIED } from '#lib/audit/streams';
import { ENVIRONMENT } from '#lib/instance/environment';
import { settingsFromEnvironment, settingVariables } from '#lib/instance/settings';
import { isOutage } from '#lib/network/aws';
import { publisherTo } from '#lib/outbox/publisher';
import { nameHashOf } from '#lib/pseudonym/name-hash';
import { runtimeFromEnvironment } from '#lib/runtime';
import { openSecrets } from '#lib/session/signing-key';
import { ensureTable } from '../table/ensure.ts';
import { openDataDirectory } from './data-directory.ts';
import { ensureErasureKey, ensureSigningKeys, rotateWith } from './first-rotation.ts';
import { openFirstStart, ROLES } from './first-start.ts';
import type { Options } from './flags.ts';
import { type Given, given } from './given.ts';
import { startIssuer } from './issuer/start-issuer.ts';
import { writeJson } from './machine/durable-file.ts';
import { NAMES } from './machine/resource-names.ts';
import { say } from './machine/terminal.ts';
import { parts } from './parts.ts';
import type { InstanceFile, Ready } from './ready.ts';
import {
  adoptEnvironment,
  bindingsOf,
  givenEndpoint,
  LOGS_ENDPOINT,
  sdkEnvironment,
  settingsEnvironment,
} from './sdk-environment.ts';
import { startEngine } from './services/engine.ts';
import { startEventBus } from './services/event-bus/event-bus.ts';
import { labelOf } from './services/event-bus/subscriber.ts';
import { startGateway } from './services/gateway/gateway.ts';
import { confinement } from './services/iam/confinement.ts';
import { startGate } from './services/iam/gate.ts';
import { subscribeToAudit } from './services/lambda/audit-lines.ts';
import { openFunctionLog } from './services/lambda/function-log.ts';
import { startInvocations } from './services/lambda/invocations.ts';
import { refreshing, startLambda } from './services/lambda/lambda.ts';
import { startSchedule } from './services/lambda/schedule.ts';
import { startLogs } from './services/logs.ts';
import { startSecretsManager } from './services/secrets-manager.ts';
import { openSubscription, startSubscriber, subscriberEnvironment } from './subscription.ts';

/** The instance. Each part starts after those above it, and closes before them. */
const INSTANCE = parts<Given>()
  .part('data', ({ options }) => openDataDirectory(options.data))
  // A port in use is reported at once; `requests`, at the end, answers.
  .part('gateway', ({ options, settings }) => startGateway(options.port, settings.CorsAllowedOrigins))
  .part('engine', ({ unlessNamed, kept, data }) =>
    unlessNamed('dynamodb', () => startEngine(kept(data.database))),
  )
  .part('dynamodb', ({ unlessNamed, engine, accessKeyId }) =>
    unlessNamed('dynamodb', () => startGate({ DynamoDB: engine.url }, accessKeyId)),
  )
  .part('events', ({ unlessNamed, data, region, accessKeyId }) =>
    unlessNamed('events', () => startEventBus({ file: data.events, region, accessKeyId })),
  )
  .part('secretsmanager', ({ unlessNamed, kept, data, region, accessKeyId }) =>
    unlessNamed('secretsmanager', () =>
      startSecretsManager({ file: kept(data.secrets), region, accessKeyId }),
    ),
  )
  .part('gate', async ({ policies, region, accessKeyId, engine, events, secretsmanager }) => {
    const decide = policies && confinement(await policies, region);
    const upstreams = { DynamoDB: engine.url, AWSEvents: events.url, secretsmanager: secretsmanager.url };
    return decide && startGate(upstreams, accessKeyId, decide);
  })
  .step('endpoints', ({ engine, dynamodb, events, secretsmanager, gate }) => {
    const others = { events: events.url, secretsmanager: secretsmanager.url };
    const confined = gate && { dynamodb: gate.url, events: gate.url, secretsmanager: gate.url };
    return {
      // The functions call the engine itself: its gate would lengthen each request.
      ofFunctions: confined ?? { dynamodb: engine.url, ...others },
      ofOperators: confined ?? { dynamodb: dynamodb.url, ...others },
    };
  })
  .part('log', ({ data }) => openFunctionLog(data.log, data.audit))
  .part('logs', ({ data, accessKeyId }) => startLogs(data, systemUser(), accessKeyId))
  .part('issuer', ({ options: { issuer } }) =>
    issuer === undefined ? undefined : startIssuer({ port: issuer }),
  )
  .step('variables', ({ user, credentials, endpoints, gateway, issuer }) => ({
    sdk: sdkEnvironment(user, endpoints.ofFunctions, credentials),
    settings: settingsEnvironment(user, gateway.url, issuer?.settings),
  }))
  .step('printing', ({ events }) =>
    events.subscribe?.((delivered) => {
      for (const event of delivered) say(`event  ${event.time}  ${labelOf(event)}`);
    }),
  )
  .part('subscriber', ({ options: { subscribe, pattern }, user, variables, log, events }) => {
    if (subscribe === undefined) return undefined;
    const target = openSubscription(subscribe, subscriberEnvironment(user, variables.sdk), log);
    const subscriber = startSubscriber(target, pattern);
    events.subscribe?.(subscriber.receive);
    return subscriber;
  })
  .part('lambda', ({ options, variables: { sdk, settings }, log, logs }) =>
    startLambda(
      (definition) => ({
        ...sdk,
        [LOGS_ENDPOINT]: logs.url,
        ...settingVariables(settings, settingsReadBy(bundleFile(definition.id))),
        ...bindingsOf(definition, options.table),
      }),
      log,
    ),
  )
  .step('rotation', ({ secretsmanager, lambda }) =>
    secretsmanager.rotateWith?.((secret, version) => rotateWith(lambda, secret, version)),
  )
  .step('runtime', ({ options, variables }) => {
    const own = { [ENVIRONMENT.table]: options.table, [ENVIRONMENT.instance]: NAMES.instance };
    adoptEnvironment({ ...variables.sdk, ...own });
    const runtime = runtimeFromEnvironment();
    const hashName = nameHashOf(runtime, NAMES.erasureKey);
    return { ...runtime, publish: publisherTo(NAMES.eventBus), hashName };
  })
  .step('firstStart', ({ kept, data }) => openFirstStart(kept(data.firstStart)))
  .step('table', ({ runtime, firstStart, engine }) =>
    ensureTable(runtime.table, firstStart.reset).catch(unanswered(engine.url)),
  )
  .step('erasureKey', ({ secretsmanager }) =>
    ensureErasureKey(openSecrets()).catch(unanswered(secretsmanager.url)),
  )
  .step('admin', async ({ options, user, bundles, runtime, firstStart, lambda, secretsmanager, log }) => {
    const signingKeys = () => ensureSigningKeys(runtime, openSecrets(), lambda);
    const [admin] = await Promise.all([
      firstStart.run(runtime, { demo: options.demo, password: user['ADMIN_PASSWORD'] || undefined }),
      bundles.then(() => signingKeys().catch(unanswered(secretsmanager.url))),
    ]);
    if (admin.token !== undefined) log.write(auditOfFirstStart(admin.username));
    return admin;
  })
  .part('watched', ({ bundles }) => bundles)
  .step('functions', ({ lambda, watched }) => (watched ? refreshing(lambda, watched) : lambda))
  .part('schedule', ({ functions }) => startSchedule(functions))
  .part('audit', ({ functions, data, kept }) =>
    subscribeToAudit(functions, VERIFIED, data.audit, kept(data.auditPosition)),
  )
  .part('commands', ({ functions, data, kept }) =>
    subscribeToAudit(functions, streamOf(systemUser()), data.operators, kept(data.operatorsPosition)),
  )
  .part('invocations', ({ functions, accessKeyId }) => startInvocations(functions, accessKeyId))
  .part('requests', ({ gateway, functions }) => gateway.serve(functions))
  .step(
    'ready',
    ({ options, own, data, gateway, issuer, endpoints, invocations, variables, admin }): Ready => {
      const { table, subscribe, pattern } = options;
      const { url: lambda } = invocations;
      const ready: Ready = {
        ready: true,
        url: gateway.url,
        ...endpoints.ofOperators,
        lambda,
        table,
        admin,
        ...(issuer && { issuer: { url: issuer.url, audience: audienceOf(variables.settings) } }),
      };
      writeJson(data.instance, {
        ...ready,
        admin: { username: admin.username },
        user: systemUser(),
        pid: process.pid,
        credentials: own,
        settings: variables.settings,
        subscribe,
        pattern,
      } satisfies InstanceFile);
      return ready;
    },
  );

/** What a token for this instance has as its audience. */
function audienceOf(variables: Readonly<Record<string, string>>): string {
  const { Issuer, ApiUrl } = settingsFromEnvironment(variables);
  return Issuer || new URL(ApiUrl).origin;
}

const unanswered = (url: string) => (error: unknown) => {
  throw isOutage(error)
    ? new Error(`${url} does not answer: ${(error as Error).message}`, { cause: error })
    : error;
};

/** The audit line of the administrator that a first start creates. */
const auditOfFirstStart = (target: string) => {
  const nobody = { actor: null, credential: null, source: hostname(), requestId: null };
  const result = { outcome: 'ok', changed: true, details: { roles_added: ROLES } };
  return { level: 'audit', ...nobody, action: 'first-start', target, ...result };
};

/** Starts the service on this machine, part by part; closing goes in reverse. @throws Error with a text for people */
export async function startInstance(
  options: Options,
  user: NodeJS.ProcessEnv,
  bundles: Promise<WatchedBundles | undefined>,
) {
  const { started, close } = await INSTANCE.start(given(options, user, bundles));
  const { ready, data, firstStart } = started;
  return {
    ready,
    log: data.log,
    events: givenEndpoint('events', user) ?? data.events,
    /** To be called after the secrets of a first start were shown. */
    shown: firstStart.complete,
    close,
  };
}
