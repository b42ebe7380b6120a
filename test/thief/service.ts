import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { CreateSecretCommand } from '@aws-sdk/client-secrets-manager';
import type { Context } from 'aws-lambda';
import { admin } from '#infra/admin/program';
import type { Contract, Method } from '#lib/contract/contract';
import type { GatewayEvent, GatewayResult } from '#lib/contract/gateway-event';
import { numberText } from '#lib/input/parse';
import { ENVIRONMENT } from '#lib/instance/environment';
import {
  SETTINGS,
  type SettingName,
  type Settings,
  settingsFromEnvironment,
  settingVariable,
} from '#lib/instance/settings';
import { logTo } from '#lib/log/log';
import { openSecrets } from '#lib/network/secrets';
import { relayOutbox } from '#lib/outbox/jobs';
import { nameHashOf } from '#lib/pseudonym/name-hash';
import { sourceOf } from '#lib/routes';
import { runtimeOn } from '#lib/runtime';
import { challengeSecretKey, cursorSecretKey } from '#lib/table/keys';
import { tableSecret } from '#lib/table/secret';
import { openTable } from '#lib/table/table';
import { AUDIT_FILE, NAMES, OPERATORS_FILE } from '../../infra/local/machine/resource-names.ts';
import { serveAws, serveAwsJson } from '../../infra/local/machine/serve-aws.ts';
import { startEngine } from '../../infra/local/services/engine.ts';
import { secretOperations } from '../../infra/local/services/secrets-manager.ts';
import { ensureTable } from '../../infra/table/ensure.ts';
import { newFolder } from '../unit/support/folder.ts';
import { gatewayEvent } from '../unit/support/gateway-event.ts';
import { publishKey, publishResourceKey } from '../unit/support/signing-keys.ts';
import { openBus } from '../wire/event-bus.ts';
import './clock.ts';
import { RESOURCES } from './elsewhere.ts';
import { ISSUERS } from './platform.ts';

/** Settings of an instance under attack. */
export type Setting = Partial<Pick<Settings, 'SecondFactor' | 'AdministratorTokens' | 'ApiUrl'>>;

/** A request, its parts apart. */
export interface Sent {
  readonly method: Method;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly code: string | undefined;
  readonly payload: unknown;
}

export interface Exit {
  readonly code: number;
  readonly stdout: string;
}

/** Address of everybody. Limits of addresses contain it: a thief who is elsewhere holds nothing. */
export const ADDRESS = '192.0.2.1';

type Handler = (event: GatewayEvent, context: Context) => Promise<GatewayResult>;

/** The lowest cost that bcrypt has: a search hashes some passwords in each state. It is the only change of a setting's range. */
const COST = 4;
Object.assign(SETTINGS.BcryptCost, { schema: () => numberText(/^\d+$/) });

/** Bundles have it as a constant. */
Object.assign(globalThis, { PROJECT_VERSION: '0.0.0' });

const ACCESS_KEY = 'local';
const INVOCATION = {
  awsRequestId: 'thief',
  getRemainingTimeInMillis: () => 300_000,
} as unknown as Context;

const variablesOf = (setting: Setting) =>
  Object.fromEntries(
    Object.entries({ BcryptCost: COST, Issuers: ISSUERS, Resources: RESOURCES, ...setting }).map(
      ([name, value]) => [settingVariable(name as SettingName), String(value)],
    ),
  );

export type Service = Awaited<ReturnType<typeof openService>>;

/**
 * Opens the service in this process: every function as it is deployed, on the real engine, with the stand-ins for the bus and
 * the secret store that the local instance has. The functions of other settings share the table.
 */
export async function openService() {
  const engine = await startEngine(undefined, '/dev/null');
  const bus = await openBus();
  const store = secretOperations({ region: 'eu-west-1', rotate: async () => undefined });
  const secrets = await serveAwsJson('secretsmanager', store, ACCESS_KEY);
  const loaded = new Map<string, Promise<Handler>>();
  const relay = await serveAws(ACCESS_KEY, async ({ body, response }) => {
    const handler = await functionOf(relayOutbox, {});
    response.end(JSON.stringify(await handler(JSON.parse(body.toString()), INVOCATION)));
  });
  for (const name of Object.keys(process.env)) if (/^(AWS_|Settings__)/.test(name)) delete process.env[name];
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: ACCESS_KEY,
    AWS_REGION: 'eu-west-1',
    AWS_ENDPOINT_URL_DYNAMODB: engine.url,
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    // A local instance has no retentions of a stack.
    ...Object.fromEntries(
      Object.entries(NAMES).flatMap(([name, value]) =>
        name in ENVIRONMENT ? [[ENVIRONMENT[name as keyof typeof ENVIRONMENT], value]] : [],
      ),
    ),
  });
  const table = openTable(NAMES.table);
  await ensureTable(table, () => undefined);
  // An execution environment reads them once, so no state may lack them.
  await Promise.all([tableSecret(table, challengeSecretKey), tableSecret(table, cursorSecretKey)]);
  const { privateJwk } = await publishKey(table);
  const resourceKey = await publishResourceKey(table);
  const client = openSecrets();
  const secret = (Name: string, SecretString: string) =>
    client.send(new CreateSecretCommand({ Name, SecretString, ClientRequestToken: randomUUID() }));
  await secret(NAMES.signingKey, JSON.stringify(privateJwk));
  await secret(NAMES.resourceKey, JSON.stringify(resourceKey.privateJwk));
  await secret(NAMES.erasureKey, 'erasure');

  /** Audit lines of the functions since the last {@link takeLines}. */
  const lines: string[] = [];
  const faults = new Set<string>();
  logTo({
    write: (text: unknown) => {
      const line = String(text);
      if (line.startsWith('{"level":"audit"')) lines.push(line);
      else if (line.startsWith('{"level":"error"')) faults.add(line.replace(/"time":"[^"]*",/, ''));
      return true;
    },
  });

  function functionOf(definition: Parameters<typeof sourceOf>[0], setting: Setting): Promise<Handler> {
    const variables = variablesOf(setting);
    const address = `../../${sourceOf(definition)}?${new URLSearchParams(variables)}`;
    const known = loaded.get(address);
    if (known) return known;
    const loading = (async () => {
      // A function reads its settings while it is loaded, and nothing else runs meanwhile.
      Object.assign(process.env, variables);
      const { handler } = await import(address);
      for (const name of Object.keys(variables)) delete process.env[name];
      return handler as Handler;
    })();
    loaded.set(address, loading);
    return loading;
  }

  const folder = newFolder();
  writeFileSync(
    join(folder, 'instance.json'),
    JSON.stringify({
      url: 'http://localhost',
      dynamodb: engine.url,
      events: bus.url,
      secretsmanager: secrets.url,
      lambda: relay.url,
      table: NAMES.table,
      credentials: { accessKeyId: ACCESS_KEY, secretAccessKey: ACCESS_KEY },
      settings: variablesOf({}),
      user: 'operator',
    }),
  );

  return {
    /** URL of the engine. */
    engine: engine.url,
    table,
    /** What commands and builders work with. */
    runtime: {
      ...runtimeOn(table, NAMES.instance, { ...settingsFromEnvironment({}), BcryptCost: COST }),
      publish: async () => [],
      hashName: nameHashOf({ table, now: Date.now }, NAMES.erasureKey),
    },
    takeLines: () => lines.splice(0),
    /** Errors that the functions logged: each is a fault of the service or of this program. */
    faults,
    /** Sends a request to the function of a contract. */
    async send(contract: Contract, setting: Setting, sent: Sent, authorization?: string): Promise<Reply> {
      const handler = await functionOf(contract, setting);
      const { method, params = {}, query = {}, headers = {}, json, form } = sent;
      const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
      const body = form
        ? `${new URLSearchParams(form)}`
        : json === undefined
          ? undefined
          : JSON.stringify(json);
      const event = gatewayEvent({
        method,
        sourceIp: ADDRESS,
        headers: {
          ...headers,
          ...(body === undefined ? {} : { 'content-type': type }),
          ...(authorization === undefined ? {} : { authorization }),
        },
        pathParameters: params,
        queryStringParameters: query,
        rawQueryString: `${new URLSearchParams(query)}`,
        ...(body === undefined ? {} : { body }),
      });
      const { statusCode: status, body: text, headers: answered } = await handler(event, INVOCATION);
      const isJson = answered['content-type']?.includes('json') && text !== '';
      const payload = isJson ? JSON.parse(text) : text;
      return { status, payload, code: payload?.data?.code };
    },
    /** Runs an operator command; the audit log has these lines of functions, and those of commands. */
    async command(
      words: readonly string[],
      log: { readonly functions: readonly string[]; readonly operators: readonly string[] },
      input = '',
    ): Promise<Exit & { readonly operators: readonly string[] }> {
      writeFileSync(join(folder, AUDIT_FILE), log.functions.join(''));
      writeFileSync(join(folder, OPERATORS_FILE), log.operators.join(''));
      const exit = await printed(() => admin([...words, '--data', folder]), input);
      const after = readFileSync(join(folder, OPERATORS_FILE), 'utf8').match(/.+\n/g) ?? [];
      return { ...exit, operators: after };
    },
    async close() {
      table.client.destroy();
      await Promise.all([bus.close(), secrets.close(), relay.close(), engine.close()]);
    },
  };
}

/** Runs a command of this process; nothing else runs meanwhile. */
async function printed(command: () => Promise<number>, input: string): Promise<Exit> {
  let stdout = '';
  const { log, error } = console;
  const streams = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }));
  const stdin = Object.getOwnPropertyDescriptor(process, 'stdin') as PropertyDescriptor;
  Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(input)]), configurable: true });
  console.log = (text) => {
    stdout += `${text}\n`;
  };
  console.error = () => undefined;
  for (const { stream } of streams)
    stream.write = ((text: unknown) => {
      if (stream === process.stdout) stdout += String(text);
      return true;
    }) as typeof stream.write;
  try {
    return { code: await command(), stdout };
  } finally {
    for (const { stream, write } of streams) stream.write = write;
    Object.assign(console, { log, error });
    Object.defineProperty(process, 'stdin', stdin);
  }
}
