import { randomUUID } from 'node:crypto';
import type { Measured } from '#infra/cost/measured';
import type { Contract, Job } from '#lib/contract/contract';
import { routes } from '#lib/routes';
import { toEvent } from '../../infra/local/gateway/payload.ts';
import { openRouter, splitTarget } from '../../infra/local/gateway/router.ts';
import { bindingsOf, sdkEnvironment, settingsEnvironment } from '../../infra/local/sdk-environment.ts';
import { type Command, roundTrips } from '../wire/dynamodb-proxy.ts';
import { openFunction } from './open-function.ts';
import type { Subject } from './subjects.ts';

/** Requests that are not counted, after which a function is warm; then those that are. */
const WARM = 10;
const COUNTED = 20;

export interface Wire {
  /** All that the functions have sent to the table, and to the bus. */
  readonly table: readonly Command[];
  readonly bus: readonly Command[];
  readonly settled: () => Promise<unknown>;
  readonly endpoints: { dynamodb: string; events: string; secretsmanager: string };
  readonly tableName: string;
}

interface Answer {
  readonly statusCode?: number;
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

const route = openRouter(routes);
const hex = (requestId: string) => requestId.replaceAll('-', '');
const traceOf = (requestId: string) => `Root=1-${hex(requestId).slice(0, 8)}-${hex(requestId).slice(8)}`;

/** The event that the gateway would hand on. */
export function eventOf({ method, path, json, jwt, token }: Subject, requestId: string) {
  const match = route(method, path);
  if (!match || match === 'malformed') throw new Error(`No route for ${method} ${splitTarget(path).path}`);
  const body = json === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(json));
  const authorization = jwt ? `Bearer ${jwt}` : token && `Token ${token}`;
  const headers = {
    host: '127.0.0.1:3000',
    accept: 'application/json',
    'accept-encoding': 'gzip',
    'user-agent': 'cost',
    ...(authorization ? { authorization } : {}),
    ...(json === undefined ? {} : { 'content-type': 'application/json' }),
  };
  return toEvent(
    {
      method,
      target: path,
      protocol: 'HTTP/1.1',
      rawHeaders: Object.entries(headers).flat(),
      body,
      sourceIp: '192.0.2.1',
      requestId,
      receivedAt: new Date(),
    },
    match,
  );
}

/** Runs a function alone in a process, and takes what its requests cost. */
export async function measure(
  definition: Contract | Job,
  subject: (() => Promise<Subject>) | object,
  wire: Wire,
  {
    about,
    largest,
    counted = COUNTED,
  }: { about?: string | undefined; largest?: Subject | undefined; counted?: number | undefined } = {},
): Promise<Measured> {
  const { id } = definition;
  const fn = await openFunction(id, {
    ...sdkEnvironment({}, wire.endpoints, { accessKeyId: 'local', secretAccessKey: 'local' }),
    ...settingsEnvironment({}, 'http://127.0.0.1:3000'),
    ...bindingsOf(definition, wire.tableName),
  });
  const run = async (request: Subject | undefined) => {
    const requestId = randomUUID();
    const event = request ? eventOf(request, requestId) : subject;
    const { cpuMs, peakMb, result } = await fn.invoke({ requestId, event, trace: traceOf(requestId) });
    const { statusCode = 200, body = '', isBase64Encoded } = (result ?? {}) as Answer;
    // The largest may be too much for this machine: its memory was needed all the same.
    if (statusCode >= 400 && request !== largest) throw new Error(`${id} answered ${statusCode}: ${body}`);
    return { requestId, cpuMs, peakMb, bytes: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').length };
  };
  const runs = [];
  for (let n = 0; n < 1 + Math.min(WARM, counted) + counted; n++)
    runs.push(await run(typeof subject === 'function' ? await subject() : undefined));
  const peak = largest ? await run(largest) : runs.at(-1);
  await wire.settled();
  const lines = await fn.close();

  const [first, ...others] = runs as [(typeof runs)[0], ...typeof runs];
  const warm = others.slice(-counted);
  const commandsOf = (commands: readonly Command[], requestId: string) =>
    commands.filter((command) => command.requestId === hex(requestId));
  const median = (of: (requestId: string) => number) =>
    warm.map(({ requestId }) => of(requestId)).sort((one, other) => one - other)[counted >> 1] as number;
  const units = (isRead: boolean) =>
    median((requestId) =>
      commandsOf(wire.table, requestId)
        .filter(({ operation }) => /^(Get|BatchGet|Query)/.test(operation) === isRead)
        .reduce((total, command) => total + command.units, 0),
    );
  const ofRequest = (requestId: string) =>
    // A job names no request: each run writes the same.
    'trigger' in definition
      ? lines.slice(0, lines.length / runs.length)
      : lines.filter((line) => line.includes(requestId));
  const isAudit = (line: string) => line.startsWith('{"level":"audit"');
  const bytesOf = (some: readonly string[]) => Buffer.byteLength(some.map((line) => `${line}\n`).join(''));
  return {
    id,
    ...(about ? { about } : {}),
    cpuMs: warm.reduce((total, { cpuMs }) => total + cpuMs, 0) / counted,
    loadCpuMs: fn.started.cpuMs,
    firstCpuMs: first.cpuMs,
    peakMb: peak?.peakMb ?? 0,
    reads: units(true),
    writes: units(false),
    roundTrips: median((requestId) => roundTrips(commandsOf(wire.table, requestId))),
    events: median((requestId) => commandsOf(wire.bus, requestId).length),
    logBytes: median((requestId) => bytesOf(ofRequest(requestId))),
    logLines: median((requestId) => ofRequest(requestId).length),
    auditBytes: median((requestId) => bytesOf(ofRequest(requestId).filter(isAudit))),
    auditLines: median((requestId) => ofRequest(requestId).filter(isAudit).length),
    answerBytes: warm.reduce((total, { bytes }) => total + bytes, 0) / counted,
  };
}
