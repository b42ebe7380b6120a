import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCounters } from '#lib/stats/counters';
import { passwordCostKey } from '#lib/table/keys';
import { allUsernames } from '#lib/table/listing';
import { get as read } from '#lib/table/read';
import { openTarget, type Target } from '../../infra/admin/target.ts';
import { openWired } from './cut-off.ts';
import { newFolder } from './folder.ts';
import { startInstance } from './instance-process.ts';
import { json, run } from './operator.ts';
import { call, noted } from './service.ts';

/** An instance of its own, whose directory is counted. */
const data = await newFolder();
const where = ['--data', data];
let base: string;
let target: Target;
let wire: Awaited<ReturnType<typeof openWired>>;
const ADMINISTRATOR = 1;

beforeAll(async () => {
  const env = { Settings__Events: 'user_create', Settings__BcryptCost: '10' };
  const instance = await startInstance({ data, env });
  noted(instance.ready.admin.token as string);
  noted(instance.ready.admin.password as string);
  base = instance.ready.url;
  target = await openTarget({ data });
  wire = await openWired(instance);
  await operate('team', 'create', 'OPS', '--name', 'Operations');
});
afterAll(() => wire.close());

const operate = (...args: string[]) => json(args, '', { where });
const path = (name: string) => join(data, name);
const file = async (name: string, lines: readonly (object | string)[]) => {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  await writeFile(path(name), `${texts.join('\n')}\n`);
  return path(name);
};
async function names() {
  const all: string[] = [];
  for await (const page of allUsernames(target.runtime.table, 100)) all.push(...page);
  return all;
}
const counts = () => readCounters(target.runtime.table);
const logIn = async (username: string, password: string) =>
  (await call('POST', '/api/core/account/login', { base, json: { username, password } })).status;

test('a file with faults is refused with the line of each, and nothing of it is written', async () => {
  const bad = await file('bad.jsonl', [
    { username: 'good-one' },
    { username: 'a b' },
    '{',
    { username: 'GOOD-one' },
    { username: 'other', teams: ['nowhere'], roles: ['sys_admin'] },
  ]);
  for (const more of [[], ['--dry-run']]) {
    const { code, answer } = await operate('import', bad, ...more);
    expect({ code, answer }).toMatchObject({ code: 1, answer: { code: 'invalid_file' } });
    expect(answer.message).toContain('4 of 5 accounts');
    expect(answer.errors.map(({ field }: { field: string }) => field)).toEqual([
      'line 2, username',
      'line 3',
      'line 4, username',
      'line 5, roles',
    ]);
  }
  expect(await names()).toHaveLength(ADMINISTRATOR);
  expect((await operate('import', path('no-such-file'))).answer.code).toBe('no_file');
});

describe('a file of accounts', () => {
  const password = noted('correct horse of the import');
  const lines = [
    { username: 'ada', password, teams: ['ops'], roles: ['editor'], apps: ['crm'], user_first_name: 'Ada' },
    { username: 'bob', islocked: true },
    { username: 'eve', isactive: false },
    { username: 'dan', user_properties: { root: {}, n: 1 } },
  ];
  let accounts: string;
  beforeAll(async () => {
    accounts = await file('accounts.jsonl', lines);
  });

  test('is tried out without a change', async () => {
    const { answer } = await operate('import', accounts, '--dry-run');
    expect(answer).toEqual({ dry_run: true, created: 4, existing: 0, failed: 0 });
    expect(await names()).toHaveLength(ADMINISTRATOR);
  });

  test('is imported once, with passwords, memberships, states and events', async () => {
    const first = await operate('import', accounts);
    expect(first).toEqual({ code: 0, answer: { created: 4, existing: 0, failed: 0 } });
    expect(await counts()).toMatchObject({ count: 4 + ADMINISTRATOR, locked: 1 });
    expect(await logIn('ada', password)).toBe(200);
    expect(await read(target.runtime.table, passwordCostKey)).toMatchObject({ cost: 10 });
    expect((await operate('account', 'show', 'ada')).answer).toMatchObject({
      team_name: 'Operations',
      roles: 1,
    });
    expect((await operate('account', 'show', 'eve')).answer).toMatchObject({ isactive: false });
    const told = (await readFile(path('events.jsonl'), 'utf8')).split('\n').filter(Boolean);
    const events = told
      .map((line) => JSON.parse(line))
      .filter((event) => event['detail-type'] === 'user_create');
    expect(events.map(({ detail }) => detail.username).sort()).toEqual(['ada', 'bob', 'dan', 'eve']);

    const again = await operate('import', accounts);
    expect(again).toEqual({ code: 0, answer: { created: 0, existing: 4, failed: 0 } });
    expect((await operate('import', accounts, '--dry-run')).answer).toMatchObject({
      created: 0,
      existing: 4,
    });
    expect(await counts()).toMatchObject({ count: 4 + ADMINISTRATOR, locked: 1 });
  });

  test('is what an export gives, without a secret', async () => {
    const { stdout, stderr } = await run(['export'], '', { where });
    const exported = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(stderr).toContain('5 accounts');
    for (const { password: _, teams, ...line } of lines)
      expect(exported).toContainEqual(expect.objectContaining({ ...line, teams: teams ? ['OPS'] : [] }));
    expect(stdout).not.toMatch(/hash|\$2[ab]\$|stamp|password|cst_/);
    await writeFile(path('exported.jsonl'), stdout);
    expect((await operate('import', path('exported.jsonl'))).answer).toMatchObject({
      created: 0,
      existing: 5,
    });
  });

  test('may be CSV', async () => {
    const csv = await file('accounts.csv', ['username,teams,user_last_name', 'ada,,', '"kim",OPS,"Kim, K."']);
    expect((await operate('import', csv)).answer).toEqual({ created: 1, existing: 1, failed: 0 });
    expect((await operate('account', 'show', 'kim')).answer).toMatchObject({
      user_last_name: 'Kim, K.',
      teams: 1,
    });
  });
});

test('an import that is killed is completed by the same command: no account is missing, and none counts twice', async () => {
  const ACCOUNTS = 1500;
  const before = (await names()).length;
  const many = await file(
    'many.jsonl',
    Array.from({ length: ACCOUNTS }, (_, n) => ({ username: `many-${n}` })),
  );
  await wire.killed(['import', many], 'TransactWriteItems', 20);
  const between = (await names()).length - before;
  expect(between).toBeGreaterThan(0);
  expect(between).toBeLessThan(ACCOUNTS);
  expect((await counts()).count).toBe(before + between);

  const { answer } = await operate('import', many);
  expect(answer).toEqual({ created: ACCOUNTS - between, existing: between, failed: 0 });
  const all = await names();
  expect(new Set(all).size).toBe(before + ACCOUNTS);
  expect(all).toHaveLength(before + ACCOUNTS);
  expect((await counts()).count).toBe(before + ACCOUNTS);
  const entries = (await operate('audit', '--action', 'admin import')).answer;
  expect(entries.at(-1)).toMatchObject({ outcome: 'ok', changed: true });
});

test('a file is checked piece by piece, with less memory than holds all of it', async () => {
  const [ACCOUNTS, HEAP_MB] = [800, 40];
  const text = 'x'.repeat(50_000);
  const large = await file(
    'large.jsonl',
    Array.from({ length: ACCOUNTS }, (_, n) => ({
      username: `large-${n}`,
      user_properties: { text: `${n} ${text}` },
    })),
  );
  const env = { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` };
  const { code, stdout, stderr } = await run(['import', large, '--dry-run', '--json'], '', { where, env });
  const answer = { dry_run: true, created: ACCOUNTS, existing: 0, failed: 0 };
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: `${JSON.stringify(answer)}\n` });
});
