import { appendFileSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readable } from '#infra/admin/audit';
import {
  type AuditFilter,
  type AuditTrail,
  patternOf,
  trailInFolder,
  trailInLogGroup,
} from '#infra/admin/audit-trail';
import { ahead, since } from '#infra/admin/times';
import { auditLogTo, openLogs } from '#lib/audit/audit-log';
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
  entry(2, { actor: 'ada', action: 'token.delete', target: 'Laptop@ada' }),
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
  [
    'a claimed actor',
    { actor: 'operator:support', details: { claimed_by: 'admin' } },
    'operator:support (unproved: admin)  account.lock  ada  ok  192.0.2.1  request-1',
  ],
])('an entry with %s is one line', (_what, part, line) => {
  expect(readable(entry(1, part))).toBe(`2026-11-20T05:01:00.000Z  ${line}`);
});

const openFolder = () => {
  const path = join(folder, `${files++}`);
  mkdirSync(path);
  return path;
};
test('an audit log in a folder is for its owner only', async () => {
  const path = openFolder();
  await trailInFolder(path, 'ada').write(entry(1, {}));
  expect(statSync(join(path, 'operators.jsonl')).mode & 0o777).toBe(0o600);
});

interface Opened {
  readonly trail: AuditTrail;
  /** Writes lines of functions, and of operators as earlier versions did. */
  write(...entries: readonly AuditEntry[]): Promise<void>;
}

function openInFolder(): Opened {
  const path = openFolder();
  const write = async (...entries: readonly AuditEntry[]) =>
    appendFileSync(join(path, 'audit.jsonl'), entries.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return { trail: trailInFolder(path, 'ada'), write };
}

function openInLogGroup(): Opened {
  const append = async (one: AuditEntry) => {
    const stream = one.action.startsWith('admin ') ? 'operators' : 'functions';
    const line = { timestamp: Date.parse(one.time), message: JSON.stringify(one) };
    await auditLogTo(openLogs(), 'the-audit-log', stream).append([line]);
  };
  const write = async (...entries: readonly AuditEntry[]) => {
    for (const each of entries) await append(each);
  };
  return { trail: trailInLogGroup('the-audit-log'), write };
}

describe.each<[string, string, () => Opened]>([
  ['in a folder', 'operator:ada', openInFolder],
  ['in a log group', 'operator:administrator', openInLogGroup],
])('an audit log %s', (_, operator, open) => {
  test.each<[string, AuditFilter, number[]]>([
    ['everything', {}, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['an account in any case and its tokens', { target: 'ADA' }, [1, 2, 3]],
    ['one token in any case', { target: 'LAPTOP@Ada' }, [2]],
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
    const { trail, write } = open();
    await write(...ENTRIES);
    expect(minutes(await trail.read(filter))).toEqual(expected);
  });

  test.each<[string, readonly AuditEntry[]]>([
    ['nothing when nothing was written', []],
    ['the oldest first', ENTRIES.toReversed()],
    ['each entry once when it was collected twice', [...ENTRIES, ...ENTRIES]],
  ])('returns %s', async (_what, entries) => {
    const { trail, write } = open();
    await write(...entries);
    expect(await trail.read({})).toEqual(ENTRIES.filter((each) => entries.includes(each)));
  });

  test.each<[string, AuditFilter, boolean]>([
    ['the operator', { actor: operator }, true],
    ['all operators', { actor: 'operator' }, true],
    ['the claimed ARN', { actor: ARN }, true],
    ['a name that is no operator', { actor: 'admin' }, false],
  ])(
    'names the operator by the stream, and what the line says as a claim, when %s is asked for',
    async (_name, filter, isFound) => {
      const { trail } = open();
      const claims = ['admin', ARN].map((actor, at) => entry(at, { actor, credential: 'ci' }));
      await trail.write(...claims);
      const proven = claims.map((one) => ({
        ...one,
        actor: operator,
        credential: null,
        details: { claimed_by: one.actor },
      }));
      const found = filter.actor === ARN ? proven.slice(1) : proven;
      expect(await trail.read(filter)).toEqual(isFound ? found : []);
    },
  );

  test('lists a line of an operator beside the same one of a function', async () => {
    const { trail, write } = open();
    const same = { level: 'audit', ...entry(1, {}) };
    await write(same);
    await trail.write(same);
    expect((await trail.read({})).map(({ actor }) => actor)).toEqual(['admin', operator]);
  });
});

test('audit lists the start of a command only without its end', async () => {
  const { trail, write } = openInFolder();
  const [started, ended] = [
    entry(1, { outcome: 'started', changed: null }),
    entry(2, { requestId: 'request-1' }),
  ];
  const interrupted = entry(3, { outcome: 'started' });
  const each = entry(4, { requestId: 'request-3', target: 'bob' });
  await write(started, ended, interrupted, each);
  expect(await trail.read({})).toEqual([ended, interrupted, each]);
  expect(await trail.read({ outcome: 'started' })).toEqual([started, interrupted]);
  await trail.write(entry(5, { requestId: 'request-3' }));
  expect(await trail.read({})).toContainEqual(interrupted);
});

test.each<[AuditFilter, string | undefined]>([
  [{}, undefined],
  [{ since: 5 }, undefined],
  [{ until: 9, role: 'r' }, undefined],
  [{ target: 'Ada' }, '{ ($.target = "ada" || $.target = "Ada" || $.target = "*@ada") }'],
  [
    { target: 'Laptop@Ada' },
    '{ ($.target = "laptop@ada" || $.target = "Laptop@Ada" || $.target = "*@ada") }',
  ],
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

test.each(['operator', 'operator:support', ARN])(
  'the actor %s is looked for in the streams of operators',
  async (actor) => {
    await trailInLogGroup('the-audit-log').read({ actor });
    expect(logs.calls.map(({ input }) => input)).toEqual([
      { logGroupName: 'the-audit-log', logStreamNamePrefix: 'operators' },
    ]);
  },
);

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
