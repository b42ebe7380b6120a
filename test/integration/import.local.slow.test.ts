import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readCounters } from '#lib/stats/counters';
import { allUsernames } from '#lib/table/listing';
import { openTarget } from '../../infra/admin/target.ts';
import { newFolder } from '../unit/support/folder.ts';
import { openProxy } from '../wire/dynamodb-proxy.ts';
import { startInstance } from './instance-process.ts';
import { json, start } from './operator.ts';
import { call, noted } from './service.ts';

/** An instance of its own, as the tests count its directory. */
const data = newFolder();
const where = ['--data', data];
const { ready } = await startInstance({ data, env: { Settings__Events: 'user_create' } });
noted(ready.admin.token as string);
noted(ready.admin.password as string);
const base = ready.url;
const { table } = (await openTarget({ data })).runtime;

/** The same instance, its table behind a proxy. */
const behindWire = newFolder();
const wire = await openProxy(ready.dynamodb);
await cp(data, behindWire, { recursive: true, filter: (path) => !/sqlite|lock/.test(path) });
const description = JSON.parse(await readFile(join(data, 'instance.json'), 'utf8'));
await writeFile(join(behindWire, 'instance.json'), JSON.stringify({ ...description, dynamodb: wire.url }));
afterAll(() => wire.close());

const operate = (...args: string[]) => json(args, '', where);
async function fileOf(name: string, lines: readonly object[]) {
  const path = join(data, name);
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}
async function names() {
  const all: string[] = [];
  for await (const page of allUsernames(table, 100)) all.push(...page);
  return all;
}
const count = async () => (await readCounters(table)).count;

test('an imported account can log in, and subscribers receive its event', async () => {
  const password = noted('correct horse of the import');
  const file = await fileOf('accounts.jsonl', [{ username: 'ada', password }, { username: 'bob' }]);
  expect(await operate('import', file)).toEqual({ code: 0, answer: { created: 2, existing: 0, failed: 0 } });
  const login = { base, json: { username: 'ada', password } };
  expect((await call('POST', '/api/core/account/login', login)).status).toBe(200);
  const events = (await readFile(join(data, 'events.jsonl'), 'utf8')).split('\n').filter(Boolean);
  const created = events
    .map((line) => JSON.parse(line))
    .filter((event) => event['detail-type'] === 'user_create');
  expect(created.map(({ detail }) => detail.username).sort()).toEqual(['ada', 'bob']);
});

test('export fails when its reader ends before it', async () => {
  const pipe = `set -o pipefail; "${process.execPath}" infra/admin/main.ts export --data "${data}" | true`;
  const ended = await new Promise((resolve) => {
    execFile('bash', ['-c', pipe], (error, _, stderr) => resolve({ code: error?.code ?? 0, stderr }));
  });
  expect(ended).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^Instance: .*\nexport_incomplete: .*\n$/),
  });
});

test('import completes a killed import: no account is missing, and none counts twice', async () => {
  const ACCOUNTS = 600;
  const before = (await names()).length;
  const many = await fileOf(
    'many.jsonl',
    Array.from({ length: ACCOUNTS }, (_, n) => ({ username: `many-${n}` })),
  );
  const end = new AbortController();
  let transactions = 0;
  wire.script((operation) => {
    if (operation !== 'TransactWriteItems' || ++transactions <= 20) return undefined;
    end.abort();
    return 'hang';
  });
  const killed = await start(['import', many, '--data', behindWire], { signal: end.signal });
  await wire.settled();
  expect(killed.stdout).toBe('');
  const between = (await names()).length - before;
  expect(between).toBeGreaterThan(0);
  expect(between).toBeLessThan(ACCOUNTS);
  expect(await count()).toBe(before + between);

  const { answer } = await operate('import', many);
  expect(answer).toEqual({ created: ACCOUNTS - between, existing: between, failed: 0 });
  const all = await names();
  expect([new Set(all).size, all.length, await count()]).toEqual(Array(3).fill(before + ACCOUNTS));
});

test('import checks a file piece by piece, with less memory than the whole file needs', async () => {
  const [ACCOUNTS, HEAP_MB] = [1400, 64];
  const text = 'x'.repeat(50_000);
  const large = await fileOf(
    'large.jsonl',
    Array.from({ length: ACCOUNTS }, (_, n) => ({
      username: `large-${n}`,
      user_properties: { text: `${n} ${text}` },
    })),
  );
  // With the semi-space of `npm run admin`; a large one would have it collect the whole heap all the time.
  const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB} --max-semi-space-size=4` };
  const { code, stdout, stderr } = await start(['import', large, '--dry-run', '--json', ...where], { env });
  const answer = { dry_run: true, created: ACCOUNTS, existing: 0, failed: 0 };
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: `${JSON.stringify(answer)}\n` });
});
