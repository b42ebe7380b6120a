import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readable } from '#infra/admin/audit';
import {
  type AuditFilter,
  type AuditTrail,
  patternOf,
  trailInFile,
  trailInLogGroup,
} from '#infra/admin/audit-trail';
import { ahead, since } from '#infra/admin/times';
import type { AuditEntry } from '#lib/item/audit-entry';
import { newFolder } from '../support/folder.ts';
import { openTestLogGroup } from '../support/log-groups.ts';

const logs = await openTestLogGroup('the-audit-log');
const folder = newFolder();
let files = 0;

const entry = (minute: number, part: Partial<AuditEntry>): AuditEntry => ({
  time: `2026-11-20T05:${String(minute).padStart(2, '0')}:00.000Z`,
  actor: 'admin',
  credential: null,
  action: 'account.lock',
  target: 'ada',
  outcome: 'ok',
  changed: true,
  details: null,
  source: '192.0.2.1',
  requestId: `request-${minute}`,
  ...part,
});

const ARN = 'arn:aws:sts::123456789012:assumed-role/Admin/Alice';

const ENTRIES = [
  entry(1, {}),
  entry(2, { actor: 'ada', action: 'token.delete', target: 'laptop@ada' }),
  entry(3, { actor: 'operator:root', action: 'admin token create', target: 'ci@ada', source: 'bastion' }),
  entry(4, { actor: null, action: 'account.login', target: null, outcome: 'invalid_credentials' }),
  entry(5, { action: 'account.cancel', target: 'bob@ada' }),
  entry(6, { actor: ARN, action: 'admin account add', target: 'eve', details: { roles_added: ['r'] } }),
  entry(7, { action: 'keys.rotate-signing-key', target: 'aB-1', details: { kid: 'aB-1' } }),
  entry(8, { action: 'account.copy', target: 'bob', details: { source: 'eve', roles_added: ['q', 'r'] } }),
  entry(9, { action: 'admin account remove', target: 'eve', details: { roles_removed: ['r'] } }),
];

const minutes = (entries: readonly AuditEntry[]) => entries.map(({ time }) => Number(time.slice(14, 16)));

const NOBODY = { actor: null, target: null, source: null, requestId: null, outcome: 'invalid_credentials' };
test.each<[string, Partial<AuditEntry>, string]>([
  ['a change', {}, 'admin  account.lock  ada  ok  192.0.2.1  request-1'],
  ['a credential', { credential: 'ci' }, 'admin (ci)  account.lock  ada  ok  192.0.2.1  request-1'],
  ['a repeat', { changed: false }, 'admin  account.lock  ada  ok (no change)  192.0.2.1  request-1'],
  ['a refusal', { changed: false, outcome: 'x' }, 'admin  account.lock  ada  x  192.0.2.1  request-1'],
  ['nobody', NOBODY, '-  account.lock  -  invalid_credentials  -'],
  ['details', { ...NOBODY, details: { a: 1, b: null } }, '-  account.lock  -  invalid_credentials  -  a=1'],
])('an entry with %s is one line', (_what, part, line) => {
  expect(readable(entry(1, part))).toBe(`2026-11-20T05:01:00.000Z  ${line}`);
});

test('an audit log in a file is for its owner only', async () => {
  const path = join(folder, 'own.jsonl');
  await trailInFile(path).write(entry(1, {}));
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

describe.each<[string, () => AuditTrail]>([
  ['in a file', () => trailInFile(join(folder, `${files++}.jsonl`))],
  ['in a log group', () => trailInLogGroup('the-audit-log')],
])('an audit log %s', (_, open) => {
  test.each<[string, AuditFilter, number[]]>([
    ['everything', {}, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['an account in any case and its tokens', { target: 'ADA' }, [1, 2, 3]],
    ['one token', { target: 'laptop@ada' }, [2]],
    ['an account whose name has the form of a token', { target: 'bob@ada' }, [5]],
    ['nothing for a part of a name', { target: 'da' }, []],
    ['a key', { target: 'aB-1' }, [7]],
    ['an actor', { actor: 'Admin' }, [1, 5, 7, 8, 9]],
    ['operators', { actor: 'operator' }, [3, 6]],
    ['an ARN', { actor: ARN }, [6]],
    ['an outcome', { outcome: 'invalid_credentials' }, [4]],
    ['a source', { source: 'bastion' }, [3]],
    ['who gave a role', { target: 'eve', role: 'r' }, [6, 9]],
    ['every change of a role', { role: 'r' }, [6, 8, 9]],
    ['up to a time', { until: Date.UTC(2026, 10, 20, 5, 2) }, [1, 2]],
    ['one operator', { actor: 'operator:root' }, [3]],
    ['an action', { action: 'account.lock' }, [1]],
    ['all at once', { actor: 'admin', target: 'ada', action: 'account.lock' }, [1]],
    ['from a time on', { since: Date.UTC(2026, 10, 20, 5, 4) }, [4, 5, 6, 7, 8, 9]],
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

test('audit lists the start of a command only without its end', async () => {
  const trail = trailInFile(join(folder, 'starts.jsonl'));
  const [started, ended] = [
    entry(1, { outcome: 'started', changed: null }),
    entry(2, { requestId: 'request-1' }),
  ];
  const interrupted = entry(3, { outcome: 'started' });
  const each = entry(4, { requestId: 'request-3', target: 'bob' });
  await trail.write(started, ended, interrupted, each);
  expect(await trail.read({})).toEqual([ended, interrupted, each]);
  expect(await trail.read({ outcome: 'started' })).toEqual([started, interrupted]);
});

test.each<[AuditFilter, string | undefined]>([
  [{}, undefined],
  [{ since: 5 }, undefined],
  [{ until: 9, role: 'r' }, undefined],
  [{ target: 'Ada' }, '{ ($.target = "ada" || $.target = "Ada" || $.target = "*@ada") }'],
  [{ actor: 'operator' }, '{ ($.actor = "operator" || $.actor = "operator:*" || $.actor = "arn:*") }'],
  [{ outcome: 'ok', source: '::1' }, '{ ($.outcome = "ok") && ($.source = "::1") }'],
  [{ actor: 'a', action: 'account.lock' }, '{ ($.actor = "a") && ($.action = "account.lock") }'],
])('the filter %j reaches CloudWatch Logs as a pattern', async (filter, pattern) => {
  expect(patternOf(filter)).toBe(pattern);
  await trailInLogGroup('the-audit-log').read(filter);
  expect(logs.calls.map(({ input }) => input)).toEqual([
    {
      logGroupName: 'the-audit-log',
      ...(filter.since === undefined ? {} : { startTime: filter.since }),
      ...(filter.until === undefined ? {} : { endTime: filter.until }),
      ...(pattern === undefined ? {} : { filterPattern: pattern }),
    },
  ]);
});

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
])('--since takes %s', (text, expected) => {
  expect(since(text, undefined, NOW)).toBe(expected);
  expect(ahead(text, undefined, NOW)).toBe(/^\d+[a-z]$/.test(text) ? 2 * NOW - expected : expected);
});

test.each(['', '7', '7w', '-1d', '2026-13-01', '2026-02-30', '20.11.26'])('--since refuses "%s"', (text) => {
  expect(() => since(text)).toThrow('ISO 8601');
});
