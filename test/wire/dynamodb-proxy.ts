import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as open,
} from 'node:http';
import type { Readable } from 'node:stream';
import { buffer, json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { listen } from '../../infra/local/machine/listen.ts';

/** One command as it went over the wire. */
export interface Command {
  readonly operation: string;
  /** The function that sent it. */
  readonly sender: string | undefined;
  /** The id of the request that it was sent for, without dashes: functions of the local instance pass on its trace. */
  readonly requestId: string | undefined;
  readonly input: Input;
  /** The permissions that it needs, each as in a contract. */
  readonly needs: readonly string[];
  readonly start: number;
  end: number;
  /** Whether the engine has carried it out. */
  applied: boolean;
  /** Capacity units, as the engine reports them, those of indexes included. */
  units: number;
}

type Input = Record<string, unknown>;

/** A request and a response of the SDK. */
interface Sent {
  readonly headers: Record<string, string>;
  /** A text in earlier versions of the SDK. */
  readonly body: string | Uint8Array;
  clone(): Sent;
}
interface Received {
  readonly statusCode: number;
  body: Readable | Buffer;
}

/** An answer as DynamoDB sends it. */
interface WireAnswer {
  readonly status: number;
  readonly body: object;
}

/**
 * Fate of a command. An answer, `hang` (no answer) and `reset` (no connection) keep it from the engine. `lose` drops the
 * answer of the engine. The last one changes the input for the engine, and its answer.
 */
export type Fault =
  | WireAnswer
  | 'hang'
  | 'reset'
  | 'lose'
  | { readonly input: Input; readonly answer: (body: Input) => object };

/** Decides what happens to a command; undefined lets it pass. */
export type Script = (
  operation: string,
  input: Input,
  sender?: string,
) => Fault | undefined | Promise<Fault | undefined>;

const PASS: Script = () => undefined;

/** Headers that an engine demands of a request. It compares no signature, and {@link openProxy} changes each signed body. */
export const SIGNED = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20261120/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  'x-amz-date': '20261120T120000Z',
};

/** The header that names the record of a command. */
const COMMAND_ID = 'x-command-id';

/** An error as DynamoDB answers it. */
export const exception = (status: number, name: string, more: object = {}): WireAnswer => ({
  status,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message: name, ...more },
});

/** The answer of DynamoDB during an outage. */
export const DOWN = exception(500, 'InternalServerError');

/** The answer to too many requests; the SDK repeats these. */
export const THROTTLED = exception(400, 'ProvisionedThroughputExceededException');

/** The answer to a single write that collides with a transaction; the embedded engine has no such collisions. */
export const CONFLICT = exception(400, 'TransactionConflictException');

/** A cancelled transaction with one reason for each write; `None` means no fault. */
export const cancelled = (...codes: readonly string[]) =>
  exception(400, 'TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) });

/** A transaction that collides with another one. */
export const COLLISION = cancelled('TransactionConflict', 'None');

/** A BatchGetItem of which only the first key is processed, as when the answer would be too large. */
export function unprocessed(input: Input): Fault {
  const [[name, { Keys, ...rest }]] = Object.entries(
    input['RequestItems'] as Record<string, { Keys: Input[] }>,
  ) as [[string, { Keys: Input[] }]];
  const [first, ...others] = Keys;
  return {
    input: { ...input, RequestItems: { [name]: { ...rest, Keys: [first] } } },
    answer: (body) => ({
      ...body,
      UnprocessedKeys: others.length > 0 ? { [name]: { ...rest, Keys: others } } : {},
    }),
  };
}

/**
 * A proxy between the functions and DynamoDB: it counts all commands, measures them, and can make them fail.
 */
export async function openProxy(upstream: string) {
  const commands: Command[] = [];
  /** Commands that a client of this process has recorded, on their way to the script. */
  const recorded = new Map<unknown, Command>();
  const inFlight = new Set<Promise<unknown>>();
  let resets = 0;
  let script = PASS;
  let delayMs = 0;
  const agent = new Agent({ keepAlive: true });
  // The total of a single write that the embedded engine reports alone lacks the units of its indexes.
  const counted = (input: Input) => JSON.stringify({ ...input, ReturnConsumedCapacity: 'INDEXES' });
  // `fetch` takes more CPU time.
  const forward = async (
    headers: IncomingHttpHeaders,
    input: Input,
  ): Promise<{ status: number; body: Input }> => {
    const forwarded = open(upstream, { agent, method: 'POST', headers });
    forwarded.end(counted(input));
    const responded = await once(forwarded, 'response').catch((error) => {
      // The engine has closed an idle connection at the moment of its next use.
      if (!forwarded.reusedSocket) throw error;
    });
    if (!responded) return forward(headers, input);
    const [answer] = responded as [IncomingMessage];
    return { status: answer.statusCode ?? 502, body: (await json(answer)) as Input };
  };
  const track = (answered: Promise<unknown>) => {
    const tracked: Promise<unknown> = answered.catch(() => undefined).finally(() => inFlight.delete(tracked));
    inFlight.add(tracked);
  };
  const record = (headers: IncomingHttpHeaders, input: Input): Command => {
    const target = String(headers['x-amz-target']);
    const command: Command = {
      operation: target.split('.')[1] ?? '',
      sender: /\bapp\/(\S+)/.exec(String(headers['user-agent']))?.[1],
      requestId: /^Root=1-([0-9a-f-]+)$/.exec(String(headers['x-amzn-trace-id']))?.[1]?.replaceAll('-', ''),
      input,
      needs: needsOf(target, input),
      start: performance.now(),
      end: 0,
      applied: false,
      units: 0,
    };
    commands.push(command);
    return command;
  };

  const server = createServer(async (request, response) => {
    const input = (await json(request)) as Input;
    const id = request.headers[COMMAND_ID];
    const command = recorded.get(id) ?? record(request.headers, input);
    recorded.delete(id);
    const { operation, sender } = command;
    track(once(response, 'close'));
    const fault = await script(operation, input, sender);
    const send = (status: number, body: string) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
    if (fault === 'hang') return undefined;
    if (fault === 'reset') return response.destroy();
    if (typeof fault === 'object' && 'status' in fault) return send(fault.status, JSON.stringify(fault.body));
    for (const name of ['host', 'connection', 'content-length', COMMAND_ID]) delete request.headers[name];
    const { input: asked, answer: answerOf } =
      typeof fault === 'object' ? fault : { input, answer: (body: Input) => body };
    const { status, body: answer } = await forward(request.headers, asked);
    const body = answerOf(answer);
    command.applied = status === 200;
    if (fault === 'lose') return response.destroy();
    if (delayMs > 0) await sleep(delayMs);
    command.end = performance.now();
    command.units = unitsOf(body);
    return send(status, JSON.stringify(body));
  });
  const { url } = await listen(server);

  return {
    url,
    commands,
    /**
     * Lets a client of this process send to the engine itself while no script decides. Its commands are recorded when it
     * sends them, so that parallel ones overlap on a busy machine too. Those that it sent before a reset, and later
     * attempts at them, are neither recorded nor subject to a script.
     */
    shorten({ middlewareStack }: DynamoDBDocumentClient) {
      const { hostname, port } = new URL(upstream);
      // It takes a third of the CPU time of a command.
      middlewareStack.remove('httpSigningMiddleware');
      middlewareStack.add(
        (next, context) => (args) => {
          context['resets'] = resets;
          return next(args);
        },
        { step: 'initialize' },
      );
      middlewareStack.add(
        (next, context) => async (args) => {
          const request = (args.request as Sent).clone();
          Object.assign(request.headers, SIGNED);
          const { body: sent } = request;
          const input = JSON.parse(typeof sent === 'string' ? sent : new TextDecoder().decode(sent));
          const isCurrent = context['resets'] === resets;
          const command = isCurrent ? record(request.headers, input) : undefined;
          if (command && script !== PASS) {
            const id = randomUUID();
            recorded.set(id, command);
            Object.assign(request, { headers: { ...request.headers, [COMMAND_ID]: id } });
            const answered = next({ ...args, request });
            track(answered);
            return answered.finally(() => {
              command.end = performance.now();
            });
          }
          const body = counted(input);
          const headers = { ...request.headers, 'content-length': `${Buffer.byteLength(body)}` };
          Object.assign(request, { hostname, port: Number(port), body, headers });
          const answered = next({ ...args, request });
          track(answered);
          const result = await answered;
          const response = result.response as Received;
          response.body = await buffer(response.body as Readable);
          if (command) {
            command.applied = response.statusCode === 200;
            command.end = performance.now();
            command.units = unitsOf(JSON.parse(response.body.toString()));
          }
          return result;
        },
        { step: 'deserialize', priority: 'low' },
      );
    },
    /** Sets the script that decides from now on. */
    script(next: Script) {
      script = next;
    },
    /** Calls a function once: just before the first command of this operation, or the nth. */
    before(
      of: string | ((operation: string, input: Input) => boolean),
      act: () => Promise<unknown>,
      nth = 1,
    ) {
      let met = 0;
      script = async (operation, input) => {
        const isMet = typeof of === 'string' ? operation === of : of(operation, input);
        if (isMet && ++met === nth) await act();
        return undefined;
      };
    },
    /** Delays every answer by this time, so that parallel commands overlap visibly. */
    delay(ms: number) {
      delayMs = ms;
    },
    /** Resolves once no command is in progress: the work of a request after its answer has ended then. */
    async settled() {
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
    /** Passes every command from now on, and forgets the former ones. */
    reset() {
      resets++;
      script = PASS;
      commands.length = 0;
    },
    close() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

/**
 * The permissions that a command needs, as contracts write them; of a transaction, those of its writes.
 *
 * @param target such as `DynamoDB_20120810.GetItem`
 */
export function needsOf(target: string, input: Input): string[] {
  const [service = '', operation = ''] = target.split('.');
  if (!service.startsWith('DynamoDB'))
    return [`${service === 'AWSEvents' ? 'events' : service}:${operation}`];
  const { IndexName, TransactItems, RequestItems } = input as {
    IndexName?: string;
    TransactItems?: Record<string, Input>[];
    RequestItems?: Record<string, { Keys?: Input[] } | Record<string, Input>[]>;
  };
  if (operation === 'Scan') return ['names:scan'];
  if (IndexName !== undefined) return [`index:${IndexName}:${partitionOf(input)}`];
  if (TransactItems)
    return TransactItems.flatMap((write) =>
      Object.entries(write).map(([name, item]) => `transaction:${name}Item:${partitionOf(item)}`),
    );
  const items = RequestItems
    ? Object.values(RequestItems).flatMap((of) =>
        'length' in of
          ? of.flatMap((write) => Object.values(write))
          : (of.Keys ?? []).map((Key) => ({ Key })),
      )
    : [input];
  return items.map((item) => `table:${operation}:${partitionOf(item)}`);
}

/** The kind of item of a partition key: the part before `#`. */
function partitionOf({ Key, Item, ExpressionAttributeValues }: Input): string {
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
