import { readFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { CLIENTS } from '../../infra/bundle/unreachable.ts';
import { ROOT } from '../../infra/bundle.ts';
import { listen } from '../../infra/local/machine/listen.ts';
import { readBody } from '../../infra/local/machine/read-body.ts';
import { OPERATIONS } from './aws-operations.ts';
import { bundledExports } from './bundled.ts';
import { modules } from './modules.ts';

interface Sent {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** What a client has sent, and what that came to. */
interface Exchange {
  readonly sent: readonly Sent[];
  readonly output: unknown;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

type Package = Readonly<Record<string, new (given: object) => { send(command: object): Promise<unknown> }>>;

/** `@aws-sdk/client-secrets-manager` has the class `SecretsManagerClient`. */
const CLASSES: Readonly<Record<string, string>> = {
  '@aws-sdk/client-dynamodb': 'DynamoDBClient',
  '@aws-sdk/client-eventbridge': 'EventBridgeClient',
  '@aws-sdk/client-secrets-manager': 'SecretsManagerClient',
  '@aws-sdk/client-cloudwatch-logs': 'CloudWatchLogsClient',
};

/** Two packages may have errors of the same name. */
const aliasOf = (name: string, error: string) => `${CLASSES[name]}_${error}`;

let reply: Reply;
let sent: Sent[] = [];
const server = await listen(
  createServer(async (request, response) => {
    const body = await readBody(request, 1_000_000);
    sent.push({ headers: request.headers, body: `${body}` });
    response.writeHead(reply.status, { 'x-amzn-requestid': 'r', ...reply.headers }).end(reply.body);
  }),
);
afterAll(() => server.close());

const own = await bundledExports<Package>(
  Object.fromEntries(
    Object.entries(OPERATIONS).map(([name, operations]) => [
      name,
      [
        CLASSES[name] as string,
        ...Object.keys(operations).map((operation) => `${operation}Command`),
        ...(CLIENTS[name]?.errors ?? []).map((error) => `${error} as ${aliasOf(name, error)}`),
      ],
    ]),
  ),
);

beforeAll(() => {
  // Waits between attempts are as short as they can be.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => vi.restoreAllMocks();
});

/** Sends a command of a package. */
async function exchange(from: Package, name: string, operation: string, given: Reply): Promise<Exchange> {
  const Client = from[CLASSES[name] as string] as Package[string];
  const Command = from[`${operation}Command`] as unknown as new (input: object) => object;
  const client = new Client({
    region: 'us-east-1',
    endpoint: `${server.url}/below`,
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    maxAttempts: 2,
  });
  reply = given;
  sent = [];
  const { input } = OPERATIONS[name]?.[operation] ?? { input: {} };
  const output = await client.send(new Command(input)).catch((error: unknown) => error);
  await setImmediate();
  return { sent, output };
}

/** The same by the client of the SDK and by that of the bundles. */
async function both(name: string, operation: string, given: Reply) {
  const sdk = (await import(name)) as Package;
  return [await exchange(sdk, name, operation, given), await exchange(own, name, operation, given)] as const;
}

const JSON_BODY = /^application\/x-amz-json-1\.[01]$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** What arrived, without what is another each time. */
const told = ({ sent }: Exchange) =>
  sent.map(({ headers, body }) => {
    const message = JSON.parse(body) as Record<string, unknown>;
    if ('TransactItems' in message)
      message['ClientRequestToken'] = UUID.test(`${message['ClientRequestToken']}`);
    return {
      type: headers['content-type'],
      target: headers['x-amz-target'],
      length: headers['content-length'] === `${Buffer.byteLength(body)}`,
      signed: /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1],
      message,
    };
  });

const operations = Object.entries(OPERATIONS).flatMap(([name, all]) =>
  Object.entries(all).map(([operation, { answer }]) => ({ name, operation, answer })),
);

test.each(operations)(
  '$operation of $name is sent and answered as by the SDK',
  async ({ name, operation, answer }) => {
    const body = answer ? JSON.stringify(answer) : '';
    const [sdk, ours] = await both(name, operation, { status: 200, body });
    expect(told(ours)).toEqual(told(sdk));
    expect(told(ours)).toMatchObject([{ type: expect.stringMatching(JSON_BODY), length: true }]);
    expect(ours.output).toEqual(sdk.output);
    expect(ours.output).toMatchObject({ $metadata: { httpStatusCode: 200, requestId: 'r', attempts: 1 } });
  },
);

/** Every error that the SDK documents for the operations. */
async function documented(name: string): Promise<string[]> {
  const texts = Object.keys(OPERATIONS[name] ?? {}).map((operation) =>
    readFile(join(ROOT, 'node_modules', name, `dist-types/commands/${operation}Command.d.ts`), 'utf8'),
  );
  const all = (await Promise.all(texts)).flatMap((text) =>
    [...text.matchAll(/@throws \{@link (\w+)\}/g)].map(([, error = '']) => error),
  );
  return [...new Set(all)].filter((error) => !error.endsWith('ServiceException'));
}

/** What an error tells, and how often was tried. */
const refused = ({ sent, output }: Exchange) => {
  const error = output as Error & Readonly<Record<string, unknown>>;
  const { $fault, $metadata, name, message, Item, CancellationReasons } = error;
  return { attempts: sent.length, $fault, $metadata, name, message, Item, CancellationReasons };
};

const REASONS = [{ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: { PK: { S: 'a' } } }];
const shape = (name: string) => `com.amazonaws.dynamodb.v20120810#${name}`;
const json = (body: object) => JSON.stringify(body);

const REPLIES: [string, Reply][] = [
  [
    'with an item',
    {
      status: 400,
      body: json({ __type: shape('ConditionalCheckFailedException'), message: 'm', Item: REASONS[1]?.Item }),
    },
  ],
  [
    'with reasons',
    {
      status: 400,
      body: json({
        __type: shape('TransactionCanceledException'),
        Message: 'm',
        CancellationReasons: REASONS,
      }),
    },
  ],
  ['that nobody documents', { status: 400, body: json({ __type: 'ValidationException', message: 'm' }) }],
  ['of an unknown kind', { status: 400, body: json({ message: 'm' }) }],
  [
    'named in a header',
    { status: 400, headers: { 'x-amzn-errortype': 'AccessDeniedException:http://x' }, body: '{}' },
  ],
  ['named before a comma', { status: 400, body: json({ __type: 'LimitExceededException,x', message: 'm' }) }],
  ['of 307', { status: 307, headers: { location: '/' }, body: json({ message: 'm' }) }],
  ['by its code', { status: 403, body: json({ code: 'ExpiredTokenException', message: 'm' }) }],
  ['of 429', { status: 429, body: json({ __type: 'Unknown' }) }],
  ['of 500', { status: 500, body: json({ __type: shape('InternalServerError') }) }],
  ['of 503 without a body', { status: 503, body: '' }],
  ['of 503 that is no JSON', { status: 503, body: '<html>' }],
  ['of 503 with a code that is a number', { status: 503, body: '{"code":503,"message":"away"}' }],
  ['of 503 that is null', { status: 503, body: 'null' }],
  ['that is no JSON', { status: 200, body: '{"Item":' }],
];

test.each(REPLIES)('a refusal %s is what the SDK makes of it', async (_, given) => {
  const [sdk, ours] = await both('@aws-sdk/client-dynamodb', 'TransactWriteItems', given);
  expect(refused(ours)).toEqual(refused(sdk));
  expect(ours.output).toBeInstanceOf(Error);
});

test.each(Object.keys(OPERATIONS))('each error of %s is tried again as by the SDK', async (name) => {
  const errors = await documented(name);
  expect(errors.length).toBeGreaterThan(0);
  const [operation = ''] = Object.keys(OPERATIONS[name] ?? {});
  for (const error of errors) {
    const [sdk, ours] = await both(name, operation, {
      status: 400,
      body: json({ __type: error, message: 'm' }),
    });
    // Whose fault it is tells the status, which is not that of each.
    expect(refused(ours)).toEqual({ ...refused(sdk), $fault: 'client' });
  }
});

/** Errors of a client that `lib` imports. */
const askedFor = (name: string) =>
  modules
    .filter(({ path, imports }) => path.startsWith('lib/') && imports.some(({ target }) => target === name))
    .flatMap(({ text }) => [...text.matchAll(new RegExp(`^import \\{([^}]*)\\} from '${name}';`, 'gm'))])
    .flatMap(([, names = '']) => names.match(/\b\w+(?<!Service)Exception\b/g) ?? []);

test.each(Object.entries(CLIENTS))(
  'of %s each error that the code asks for by its class has that',
  async (name, { errors }) => {
    expect(errors).toEqual(expect.arrayContaining(askedFor(name)));
    const [operation = ''] = Object.keys(OPERATIONS[name] ?? {});
    for (const error of errors) {
      const { output } = await exchange(own, name, operation, { status: 400, body: json({ __type: error }) });
      expect(output).toBeInstanceOf(own[aliasOf(name, error)]);
    }
  },
);

test('errors are asked for', () => {
  expect(Object.keys(CLIENTS).flatMap(askedFor).sort()).toEqual([
    'ResourceAlreadyExistsException',
    'ResourceNotFoundException',
    'ResourceNotFoundException',
  ]);
});
