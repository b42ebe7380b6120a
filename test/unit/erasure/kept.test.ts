import { afterEach, expect, test } from 'vitest';
import { KINDS, keptAfter, RULES, retentionsFromEnvironment } from '#lib/erasure/kept';
import { ENVIRONMENT } from '#lib/instance/environment';

const ERASED = '2026-11-20T12:00:00.000Z';
const SETTINGS = { AuditDays: 90, SecurityStampCacheSeconds: 0 };
const STACK = { logs: 30, archive: 60, backups: 0, deadLetters: 14 };

afterEach(() => {
  delete process.env[ENVIRONMENT.retentions];
});

const lasting = (...terms: Parameters<typeof keptAfter>) =>
  Object.fromEntries(keptAfter(...terms).map(({ kind, lasts }) => [kind, lasts]));

test('keptAfter has the retentions of a stack, and nothing of a local instance', () => {
  expect(lasting(ERASED, STACK, SETTINGS)).toEqual({
    audit_log: '365 days',
    function_logs: '30 days',
    request_log: '30 days',
    address_counters: expect.stringMatching(/^15 minutes, then/),
    blocked_addresses: expect.stringMatching(/^until the end of the block/),
    event_archive: '60 days',
    dead_letters: '14 days',
    recovery: '35 days',
    activity: '90 days',
    mark: 'always',
  });
});

test('keptAfter has daily backups and the memory of functions where the operator has them', () => {
  const own = lasting(ERASED, { ...STACK, backups: 400 }, { ...SETTINGS, SecurityStampCacheSeconds: 20 });
  expect(own).toMatchObject({ backups: '400 days', function_memory: '20 seconds' });
});

test('keptAfter has the files of a local instance, and nothing of a stack', () => {
  expect(Object.keys(lasting(ERASED, undefined, { ...SETTINGS, AuditDays: 7 }))).toEqual([
    'address_counters',
    'blocked_addresses',
    'local_files',
    'local_database',
    'activity',
    'mark',
  ]);
});

test('keptAfter counts days from the end of the job, a day after the erasure, and knows no day for other durations', () => {
  const kept = keptAfter(ERASED, STACK, SETTINGS);
  const untilOf = (kind: string) => kept.find((one) => one.kind === kind)?.until;
  expect([untilOf('function_logs'), untilOf('audit_log'), untilOf('mark')]).toEqual([
    '2026-12-21T12:00:00.000Z',
    '2027-11-21T12:00:00.000Z',
    null,
  ]);
});

test('each kind says where, what and why', () => {
  for (const kind of KINDS) expect(Object.values(RULES[kind]), kind).not.toContain('');
});

test('retentionsFromEnvironment reads those of the stack, and none on a local instance', () => {
  expect(retentionsFromEnvironment()).toBeUndefined();
  process.env[ENVIRONMENT.retentions] = JSON.stringify(STACK);
  expect(retentionsFromEnvironment()).toEqual(STACK);
});
