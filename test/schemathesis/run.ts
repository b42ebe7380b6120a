import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { openApi } from '../../infra/openapi.ts';
import { startInstance } from '../integration/instance-process.ts';
import { pythonProgram } from '../python.ts';
import { newFolder, removeFolders } from '../unit/support/folder.ts';
import { REJECTIONS } from './rejections.ts';

const { examples, seed } = new Command('npm run schemathesis --')
  .description('Sends requests that the OpenAPI document permits to a local instance of its own.')
  .option('--examples <number>', 'random requests of an operation', Number, 20)
  .option('--seed <number>', 'seed of the random requests', Number, 1)
  .parse()
  .opts<{ examples: number; seed: number }>();

const { title, folder, install } = pythonProgram(
  'schemathesis',
  join(import.meta.dirname, 'requirements.txt'),
  11,
);
const reason = install();
if (reason !== undefined) {
  console.log(`skipped: schemathesis ${reason}`);
  process.exit(0);
}

/** What an answer must be: of a documented status and type, in its schema, and no failure of the service. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

const { ready, stop } = await startInstance({ data: newFolder(), args: ['--memory'] });
const reports = newFolder();
const args = [
  ...['-c', 'from schemathesis.cli import schemathesis; schemathesis()'],
  ...['run', `${ready.url}/api/core/openapi.json`, '--url', ready.url],
  ...['--header', `Authorization: Token ${ready.admin.token}`],
  ...['--mode', 'positive', '--phases', 'examples,coverage,fuzzing', '--checks', CHECKS.join()],
  ...['--max-examples', `${examples}`, '--seed', `${seed}`, '--no-shrink', '--continue-on-failure'],
  ...['--suppress-health-check', 'all', '--warnings', 'off', '--no-color'],
  ...['--report', 'ndjson', '--report-dir', reports],
];
const child = spawn('python3', args, {
  // It leaves a folder of its own behind.
  cwd: newFolder(),
  stdio: ['ignore', 'pipe', 'inherit'],
  env: { ...process.env, PYTHONPATH: folder },
});
const output: Buffer[] = [];
child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
const [status] = await once(child, 'close');
await stop();

interface Interaction {
  readonly request: {
    readonly method: string;
    readonly uri: string;
    readonly body?: { readonly $base64: string };
  };
  readonly response?: { readonly status_code: number; readonly content?: { readonly $base64: string } };
}

interface Scenario {
  readonly ScenarioFinished?: {
    readonly recorder: {
      readonly label: string;
      readonly interactions: Readonly<Record<string, Interaction>>;
    };
  };
}

const textOf = ({ $base64 = '' }: { readonly $base64?: string } = {}) =>
  Buffer.from($base64, 'base64').toString();

/** IDs of the operations by their labels, as `GET /api/core/account/profile`. */
const { paths } = openApi() as {
  paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
};
const ids = new Map(
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [
      `${method.toUpperCase()} ${path}`,
      operationId,
    ]),
  ),
);

const requests = readdirSync(reports)
  .flatMap((file) => readFileSync(join(reports, file), 'utf8').split('\n'))
  .flatMap((line) => {
    const { recorder } = (line === '' ? {} : (JSON.parse(line) as Scenario)).ScenarioFinished ?? {};
    return Object.values(recorder?.interactions ?? {}).map((each) => ({
      label: recorder?.label ?? '',
      ...each,
    }));
  });

interface Fault {
  readonly field: string;
  readonly message: string;
}

/** What an answer says, in the envelope or in the form of RFC 6749. */
function faultsOf(text: string): readonly Fault[] {
  const { data, error, error_description } = JSON.parse(text) as {
    readonly data?: { readonly code: string; readonly errors?: readonly Fault[] };
    readonly error?: string;
    readonly error_description?: string;
  };
  if (data) return data.errors ?? [{ field: data.code, message: '' }];
  return [{ field: error ?? '', message: error_description ?? '' }];
}

/** Counts by the numbers of rejections; others by what they say. */
const listed = new Map<number, number>();
const others = new Map<string, string>();
for (const { label, request, response } of requests) {
  if (![400, 413, 415, 422].includes(response?.status_code ?? 0)) continue;
  const operation = ids.get(label) ?? label;
  for (const { field, message } of faultsOf(textOf(response?.content))) {
    const nth = REJECTIONS.findIndex(
      (one) => one.of.test(operation) && one.field.test(field) && one.message.test(message),
    );
    if (nth >= 0) listed.set(nth, (listed.get(nth) ?? 0) + 1);
    else
      others.set(
        `${operation}: ${field.replace(/\d+/g, 'n')} ${message}`,
        `${request.method} ${request.uri} ${textOf(request.body)}`.slice(0, 600),
      );
  }
}

if (status !== 0) console.log(Buffer.concat(output).toString());
for (const [fault, example] of others) console.log(`A valid request is rejected: ${fault}\n  ${example}`);
for (const [nth, { because, message }] of REJECTIONS.entries())
  console.log(`${String(listed.get(nth) ?? 0).padStart(5)} rejected by ${message.source}: ${because}`);
console.log(
  `${title}, seed ${seed}: ${requests.length} requests of ${ids.size} operations, ${others.size} unknown rejections`,
);
removeFolders();
process.exitCode = status === 0 && others.size === 0 && requests.length > 0 ? 0 : 1;
