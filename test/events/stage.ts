import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { relayOutbox } from '#lib/outbox/jobs';
import { pendingEvents } from '#lib/outbox/outbox';
import type { Table } from '#lib/table/table';
import { NAMES } from '../../infra/local/machine/resource-names.ts';
import { startEngine } from '../../infra/local/services/engine.ts';
import { DYNAMODB_URL, type InstanceProcess, startInstance } from '../integration/instance-process.ts';
import { newFolder } from '../unit/support/folder.ts';
import { openProxy } from '../wire/dynamodb-proxy.ts';
import { openBus } from '../wire/event-bus.ts';

/** An event as the bus has delivered it. */
export interface Delivery {
  readonly type: string;
  readonly detail: {
    readonly id: string;
    readonly username: string;
    readonly userid: string;
    readonly transition: number;
    readonly cancelled_at?: string;
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** A local instance that can be killed and restarted. Its DynamoDB and bus outlive it, and wires to them can fail. */
export async function openStage() {
  const data = newFolder();
  const engine = DYNAMODB_URL === undefined ? await startEngine() : undefined;
  const upstream = DYNAMODB_URL ?? (engine?.url as string);
  const dynamodb = await openProxy(upstream);
  const bus = await openBus();
  const events = await openProxy(bus.url);
  const env = {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    AWS_ENDPOINT_URL_EVENTBRIDGE: events.url,
  };
  let instance: InstanceProcess | undefined;
  let token: string | undefined;

  const start = async () => {
    instance = await startInstance({ data, env });
    token ??= instance.ready.admin.token as string;
  };
  await start();
  const name = instance?.ready.table ?? NAMES.table;
  const client = new DynamoDBClient({
    endpoint: upstream,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    requestHandler: { requestTimeout: 30_000 },
  });
  const table: Table = { name, client };

  /** Number of sweeps that have ended, failed ones included. */
  const sweeps = async () => {
    const log = await readFile(join(data, 'functions.log'), 'utf8').catch(() => '');
    return log
      .split('\n')
      .filter((line) => line.includes(`"${relayOutbox.id}"`) && /"The outbox was swept"|"error"/.test(line))
      .length;
  };

  return {
    data,
    table,
    dynamodb,
    events,
    start,
    sweeps,
    /** The base URL and the token of an administrator. */
    service: () => ({ url: instance?.ready.url as string, token: token as string }),
    running: () => instance?.process.exitCode === null && instance.process.signalCode === null,
    stop: async () => void (await instance?.stop()),
    kill: () => instance?.process.kill('SIGKILL'),
    /** Events that the bus has delivered so far, in their order. */
    deliveries: (): Delivery[] =>
      bus.calls.flat().map(({ DetailType, Detail }) => ({
        type: DetailType,
        detail: JSON.parse(Detail) as Delivery['detail'],
      })),
    pending: () => pendingEvents(table),
    /** Waits for the end of one more sweep than there were, but no longer than `within` milliseconds. */
    async swept(before: number, within = 120_000): Promise<void> {
      for (const end = performance.now() + within; performance.now() < end; await sleep(100))
        if ((await sweeps()) > before) return;
    },
    /** From now on everything passes. */
    calm() {
      dynamodb.reset();
      events.reset();
    },
    async close() {
      await instance?.stop();
      table.client.destroy();
      for (const wire of [dynamodb, events]) wire.close();
      await bus.close();
      await engine?.close();
    },
  };
}
