import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { since } from '#infra/admin/audit';
import {
  type AuditFilter,
  type AuditTrail,
  patternOf,
  trailInFile,
  trailInLogGroup,
} from '#infra/admin/audit-trail';
import type { AuditEntry } from '#lib/audit/entry';
import { openTestLogGroup } from '../support/log-groups.ts';

const logs = await openTestLogGroup('the-audit-log');
const folder = mkdtempSync(join(tmpdir(), 'audit-'));
let files = 0;

const entry = (minute: number, part: Partial<AuditEntry>): AuditEntry => ({
  time: `2026-11-20T05:${String(minute).padStart(2, '0')}:00.000Z`,
  actor: 'admin',
  action: 'account.lock',
  target: 'ada',
  outcome: 'ok',
  changed: true,
  source: '192.0.2.1',
  requestId: `request-${minute}`,
  ...part,
});

const ENTRIES = [
  entry(1, {}),
  entry(2, { actor: 'ada', action: 'token.delete', target: 'laptop@ada' }),
  entry(3, { actor: 'operator:root', action: 'admin token create', target: 'ci@ada' }),
  entry(4, { actor: null, action: 'account.login', target: null, outcome: 'invalid_credentials' }),
  entry(5, { action: 'account.cancel', target: 'bob@ada' }),
];

const minutes = (entries: readonly AuditEntry[]) => entries.map(({ time }) => Number(time.slice(14, 16)));

describe.each<[string, () => AuditTrail]>([
  ['in a file', () => trailInFile(join(folder, `${files++}.jsonl`))],
  ['in a log group', () => trailInLogGroup('the-audit-log')],
])('an audit log %s', (_, open) => {
  test.each<[string, AuditFilter, number[]]>([
    ['everything', {}, [1, 2, 3, 4, 5]],
    ['an account in any case and its tokens', { target: 'ADA' }, [1, 2, 3]],
    ['one token', { target: 'laptop@ada' }, [2]],
    ['an account whose name has the form of a token', { target: 'bob@ada' }, [5]],
    ['nothing for a part of a name', { target: 'da' }, []],
    ['an actor', { actor: 'Admin' }, [1, 5]],
    ['operators', { actor: 'operator' }, [3]],
    ['one operator', { actor: 'operator:root' }, [3]],
    ['an action', { action: 'account.lock' }, [1]],
    ['all at once', { actor: 'admin', target: 'ada', action: 'account.lock' }, [1]],
    ['from a time on', { since: Date.UTC(2026, 10, 20, 5, 4) }, [4, 5]],
  ])('finds %s', async (_name, filter, expected) => {
    const trail = open();
    for (const each of ENTRIES) await trail.write(each);
    expect(minutes(await trail.read(filter))).toEqual(expected);
  });

  test.each<[string, readonly AuditEntry[]]>([
    ['nothing when nothing was written', []],
    ['the oldest first', ENTRIES.toReversed()],
    ['each entry once when it was collected twice', [...ENTRIES, ...ENTRIES]],
  ])('returns %s', async (_what, entries) => {
    const trail = open();
    for (const each of entries) await trail.write(each);
    expect(await trail.read({})).toEqual(ENTRIES.filter((each) => entries.includes(each)));
  });
});

test('a truncated line does not hide the others', async () => {
  const path = join(folder, 'cut.jsonl');
  writeFileSync(path, `{"level":"audit","tim\n${JSON.stringify(ENTRIES[0])}\n`);
  expect(await trailInFile(path).read({})).toEqual([ENTRIES[0]]);
});

test.each<[AuditFilter, string | undefined]>([
  [{}, undefined],
  [{ since: 5 }, undefined],
  [{ target: 'Ada' }, '{ ($.target = "ada" || $.target = "*@ada") }'],
  [{ actor: 'operator' }, '{ ($.actor = "operator" || $.actor = "operator:*") }'],
  [
    { actor: 'a', action: 'account.lock' },
    '{ ($.actor = "a" || $.actor = "a:*") && ($.action = "account.lock") }',
  ],
])('the filter %j reaches CloudWatch Logs as a pattern', async (filter, pattern) => {
  expect(patternOf(filter)).toBe(pattern);
  await trailInLogGroup('the-audit-log').read(filter);
  expect(logs.calls.map(({ input }) => input)).toEqual([
    {
      logGroupName: 'the-audit-log',
      ...(filter.since === undefined ? {} : { startTime: filter.since }),
      ...(pattern === undefined ? {} : { filterPattern: pattern }),
    },
  ]);
});

describe('--since', () => {
  const NOW = Date.UTC(2026, 10, 20, 5, 30);
  test.each<[string, number]>([
    ['90s', NOW - 90_000],
    ['30m', NOW - 1_800_000],
    ['24h', NOW - 86_400_000],
    ['7d', NOW - 604_800_000],
    ['2026-11-20', Date.UTC(2026, 10, 20)],
    ['2026-11-20T05:00:00Z', Date.UTC(2026, 10, 20, 5)],
    ['2026-11-20T05:00:00+01:00', Date.UTC(2026, 10, 20, 4)],
    ['2026-11-20T05:00:00', Date.UTC(2026, 10, 20, 5)],
  ])('takes %s', (text, expected) => {
    expect(since(text, undefined, NOW)).toBe(expected);
  });

  test.each(['', 'yesterday', '7', '7w', '-1d', '2026-13-01', '20.11.2026'])('refuses "%s"', (text) => {
    expect(() => since(text)).toThrow('ISO 8601');
  });
});
