import { hostname } from 'node:os';
import type { WatchedBundles } from '#infra/watch-bundles';
import { isOutage } from '#lib/aws';
import { ENVIRONMENT } from '#lib/environment';
import { publisherTo } from '#lib/outbox/publisher';
import { runtimeFromEnvironment } from '#lib/runtime';
import { openSecrets } from '#lib/session/signing-key';
import { settingsFromEnvironment } from '#lib/settings';
import { ensureTable } from '../table/ensure.ts';
import { openDataDirectory } from './data-directory.ts';
import { ensureSigningKey, rotateWith } from './first-rotation.ts';
import { openFirstStart, ROLES } from './first-start.ts';
import type { Options } from './flags.ts';
import { writeJson } from './machine/durable-file.ts';
import { NAMES } from './machine/resource-names.ts';
import { say } from './machine/terminal.ts';
import type { InstanceFile, Ready } from './ready.ts';
import {
  adoptEnvironment,
  bindingsOf,
  credentialsFor,
  ENDPOINTS,
  type Endpoints,
  givenEndpoint,
  instanceCredentials,
  regionOf,
  sdkEnvironment,
  settingsEnvironment,
} from './sdk-environment.ts';
import { startEngine } from './services/engine.ts';
import { startEventBus } from './services/event-bus/event-bus.ts';
import type { DeliveredEvent } from './services/event-bus/event-file.ts';
import { parsePattern } from './services/event-bus/event-pattern.ts';
import { labelOf, openSubscriber, type Subscriber } from './services/event-bus/subscriber.ts';
import { openGateway } from './services/gateway/gateway.ts';
import { confinement, loadPolicies } from './services/iam/confinement.ts';
import { startGate } from './services/iam/gate.ts';
import { subscribeToAudit } from './services/lambda/audit-lines.ts';
import { openFunctionLog } from './services/lambda/function-log.ts';
import { openLambda, refreshing } from './services/lambda/lambda.ts';
import { startSchedule } from './services/lambda/schedule.ts';
import { type Rotate, startSecretsManager } from './services/secrets-manager.ts';
import { openSubscription, subscriberEnvironment } from './subscription.ts';

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

const close = (service: { close(): unknown }) => service.close() as Promise<void>;

/** Starts the service on this machine, part by part; closing goes in reverse. @throws Error with a text for people */
export async function startInstance(
  options: Options,
  user: NodeJS.ProcessEnv,
  bundles: Promise<WatchedBundles | undefined>,
) {
  const settings = settingsFromEnvironment(user);
  const region = regionOf(user);
  if (options.subscribe && givenEndpoint('events', user))
    throw new Error(`--subscribe needs the local event bus: unset ${ENDPOINTS.events}.`);
  const starts = new AsyncDisposableStack();
  const urlOf = async (service: keyof Endpoints, start: () => Promise<{ url: string; close(): unknown }>) =>
    givenEndpoint(service, user) ?? starts.adopt(await start(), close).url;
  const own = instanceCredentials(user);
  const credentials = credentialsFor(user, own);
  const { accessKeyId } = credentials;
  const policies = options.enforceIam ? loadPolicies(region, options.table) : undefined;
  policies?.catch(() => undefined);
  const kept = (file: string) => (options.memory ? undefined : file);

  const data = starts.adopt(openDataDirectory(options.data), close);
  const gateway = await openGateway(options.port, settings.CorsAllowedOrigins);
  const engine = await urlOf('dynamodb', () => startEngine(kept(data.database)));
  const dynamodb = await urlOf('dynamodb', () => startGate({ DynamoDB: engine }, accessKeyId));
  let subscriber: Subscriber | undefined;
  const receive = (delivered: readonly DeliveredEvent[]) => {
    for (const event of delivered) say(`event  ${event.time}  ${labelOf(event)}`);
    subscriber?.receive(delivered);
  };
  const events = await urlOf('events', () =>
    startEventBus({ file: data.events, region, accessKeyId, receive }),
  );
  const rotate: Rotate = (secret, version) => rotateWith(lambda, secret, version);
  const secretsmanager = await urlOf('secretsmanager', () =>
    startSecretsManager({ file: kept(data.secrets), region, accessKeyId, rotate }),
  );
  // The functions call the engine itself: its gate would take a third of a request's time.
  const inside = { dynamodb: engine, events, secretsmanager };
  const upstreams = { DynamoDB: engine, AWSEvents: events, secretsmanager };
  const decide = policies && confinement(await policies, region);
  const gate = decide && starts.adopt(await startGate(upstreams, accessKeyId, decide), close);
  const confined = gate && { dynamodb: gate.url, events: gate.url, secretsmanager: gate.url };
  const log = starts.adopt(openFunctionLog(data.log, data.audit), close);
  const sdk = sdkEnvironment(user, confined ?? inside, credentials);
  const { subscribe, pattern } = options;
  if (subscribe !== undefined) {
    const receiver = openSubscription(subscribe, subscriberEnvironment(user, sdk), log);
    const matches = pattern === undefined ? () => true : parsePattern(pattern);
    subscriber = openSubscriber(receiver.send, matches);
    starts.adopt(subscriber, async (it) => void (await Promise.all([it.close(), receiver.close()])));
  }
  const ownSettings = settingsEnvironment(user, gateway.url);
  const lambda = starts.adopt(
    openLambda((definition) => ({ ...sdk, ...ownSettings, ...bindingsOf(definition, options.table) }), log),
    close,
  );

  adoptEnvironment({ ...sdk, [ENVIRONMENT.table]: options.table, [ENVIRONMENT.instance]: NAMES.instance });
  const runtime = { ...runtimeFromEnvironment(), publish: publisherTo(NAMES.eventBus) };
  const firstStart = openFirstStart(kept(data.firstStart));
  await ensureTable(runtime.table, firstStart.reset).catch(unanswered(inside.dynamodb));
  const [admin] = await Promise.all([
    firstStart.run(runtime, { demo: options.demo, password: user['ADMIN_PASSWORD'] || undefined }),
    bundles.then(() => ensureSigningKey(runtime, openSecrets(), lambda).catch(unanswered(secretsmanager))),
  ]);
  if (admin.token !== undefined) log.write(auditOfFirstStart(admin.username));
  const watched = await bundles;
  if (watched) starts.adopt(watched, close);
  const current = watched ? refreshing(lambda, watched) : lambda;
  gateway.serve(current);
  starts.adopt(startSchedule(current), close);
  starts.adopt(subscribeToAudit(current, data.audit, kept(data.auditPosition)), close);
  starts.adopt(gateway, close);
  const endpoints = confined ?? { dynamodb, events, secretsmanager };
  const ready: Ready = { ready: true, url: gateway.url, ...endpoints, table: options.table, admin };
  writeJson(data.instance, {
    ...ready,
    admin: { username: admin.username },
    pid: process.pid,
    credentials: own,
    settings: ownSettings,
    subscribe,
    pattern,
  } satisfies InstanceFile);
  return {
    ready,
    log: data.log,
    events: givenEndpoint('events', user) ?? data.events,
    /** To be called after the secrets of a first start were shown. */
    shown: firstStart.complete,
    close: () => starts.disposeAsync(),
  };
}
