import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** One command as it went over the wire. */
export interface Command {
  readonly operation: string;
  /** The function that sent it. */
  readonly sender: string | undefined;
  /** What it asks to be allowed, each as in a contract. */
  readonly needs: readonly string[];
  readonly start: number;
  end: number;
  /** Capacity units, as the engine reports them. */
  units: number;
}

/** What happens to a command instead of reaching the engine. */
export type Fault = (
  operation: string,
  input: Record<string, unknown>,
) => 'refuse' | 'hang' | 'collide' | 'lose' | undefined;

/** How DynamoDB refuses a transaction that meets another one; no embedded engine ever does. */
const COLLISION = JSON.stringify({
  __type: 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException',
  message: 'Transaction cancelled',
  CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
});

/**
 * Stands between the functions and DynamoDB and sees every command: counts them, takes their time, and can make
 * them fail. Every answer takes `delayMs`, so that commands sent side by side are seen to overlap.
 */
export async function openProxy(upstream: string, delayMs: number) {
  const commands: Command[] = [];
  let fault: Fault = () => undefined;

  const server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.').at(-1) as string;
    const sender = /\bapp\/(\S+)/.exec(String(request.headers['user-agent']))?.[1];
    const start = performance.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const input = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
    const command: Command = { operation, sender, needs: needsOf(operation, input), start, end: 0, units: 0 };
    commands.push(command);
    const failure = fault(operation, input);
    if (failure === 'hang') return;
    if (failure === 'refuse') {
      response.writeHead(500, { 'content-type': 'application/x-amz-json-1.0' });
      response.end('{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"down"}');
      return;
    }
    for (const name of ['host', 'connection', 'content-length']) delete request.headers[name];
    if (failure === 'collide') {
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(COLLISION);
      return;
    }
    const answer = await fetch(upstream, {
      method: 'POST',
      headers: request.headers as Record<string, string>,
      body: JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' }),
    });
    const text = await answer.text();
    if (failure === 'lose') {
      response.destroy();
      return;
    }
    await sleep(delayMs);
    command.end = performance.now();
    command.units = unitsOf(JSON.parse(text));
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };

  return {
    url: `http://127.0.0.1:${port}`,
    commands,
    fail(next: Fault) {
      fault = next;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

type Item = Record<string, unknown>;

/** What a command asks to be allowed, as contracts write it: a transaction, what each of its writes does. */
function needsOf(operation: string, input: Item): string[] {
  const { IndexName, TransactItems, RequestItems } = input as {
    IndexName?: string;
    TransactItems?: Record<string, Item>[];
    RequestItems?: Record<string, { Keys: Item[] }>;
  };
  if (IndexName !== undefined) return [`index:${IndexName}`];
  if (TransactItems)
    return TransactItems.flatMap((write) =>
      Object.entries(write).map(([name, item]) => `table:${name}Item:${partitionOf(item)}`),
    );
  const items = RequestItems
    ? Object.values(RequestItems).flatMap(({ Keys }) => Keys.map((Key) => ({ Key })))
    : [input];
  return items.map((item) => `table:${operation}:${partitionOf(item)}`);
}

/** The kind of item that a partition key stands for: what comes before `#`. */
function partitionOf({ Key, Item, ExpressionAttributeValues }: Item): string {
  const { S = '' } = ((Key ?? Item) as { PK?: { S?: string } } | undefined)?.PK ?? {};
  const queried = (ExpressionAttributeValues as { ':pk'?: { S?: string } } | undefined)?.[':pk']?.S;
  return (S || queried || '').split('#')[0] as string;
}

type Consumed = { CapacityUnits?: number };

function unitsOf({ ConsumedCapacity = [] }: { ConsumedCapacity?: Consumed | Consumed[] }): number {
  return [ConsumedCapacity].flat().reduce((total, { CapacityUnits = 0 }) => total + CapacityUnits, 0);
}

/** The longest chain of commands of which each began after the one before had ended. */
export function roundTrips(commands: readonly Command[]): number {
  const depths: number[] = [];
  commands.forEach((command, index) => {
    const before = commands
      .slice(0, index)
      .map((other, at) => (other.end <= command.start ? (depths[at] ?? 0) : 0));
    depths.push(1 + Math.max(0, ...before));
  });
  return Math.max(0, ...depths);
}
