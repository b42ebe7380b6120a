import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod/mini';
import type { AuditEntry } from '#lib/item/audit-entry';
import type { AuditFilter } from './audit-trail.ts';
import { listed, reading } from './run.ts';

const timeOr = (relative: string) => `ISO 8601, or ${relative}: 30m, 24h, 7d`;
export const TIME = timeOr('an age');
export const AHEAD = timeOr('a time ahead');

export function auditCommand(program: Command): void {
  program
    .command('audit')
    .description('list who did what to whom, when, from where and with what result; oldest first')
    .option('--target <name>', 'an account and its tokens, a token as name@username, or a key', name)
    .option('--actor <name>', 'an account, an ARN, or "operator" for all operators', name)
    .option('--action <id>', 'such as account.lock, or "admin account password"', name)
    .option('--outcome <code>', 'result: ok, started, or the code of a failure', name)
    .option('--source <address>', 'address of a request, or host of an operator', name)
    .option('--role <role>', 'changes that added or removed this role', name)
    .option('--since <time>', `start of the period: ${TIME}`, since)
    .option('--until <time>', `end of the period: ${TIME}`, since)
    .action(
      reading(async ({ audit }, filter: AuditFilter) => {
        const entries = await audit.read(filter);
        return listed(entries, entries.map(readable));
      }),
    );
}

/** Names without quotes, which would change a pattern of CloudWatch Logs. */
function name(text: string): string {
  if (!/^[\w.@+:=,/ -]{1,300}$/.test(text))
    throw new InvalidArgumentError('The audit log cannot contain this name.');
  return text;
}

/** As {@link since}, but an age is a time ahead. @throws InvalidArgumentError */
export const ahead = (text: string, before?: unknown, now = Date.now()): number =>
  AGE.test(text) ? 2 * now - since(text, before, now) : since(text, before, now, AHEAD);

const AGE = /^(\d{1,6})([smhd])$/;

const MILLISECONDS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A time, in UTC by default, or an age, in milliseconds since the epoch. @throws InvalidArgumentError */
export function since(text: string, _before?: unknown, now = Date.now(), expected = TIME): number {
  const [, amount, unit = ''] = AGE.exec(text) ?? [];
  if (amount !== undefined) return now - Number(amount) * (MILLISECONDS[unit] as number);
  const [whole, zone] = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? [''];
  const time = Date.parse(whole.includes('T') && !zone ? `${whole}Z` : whole);
  // `Date` reads 30 February as 2 March.
  const hasDay = z.iso.date().safeParse(whole.slice(0, 10)).success;
  if (Number.isNaN(time) || !hasDay) throw new InvalidArgumentError(`Expected ${expected}.`);
  return time;
}

/** `2026-11-20T05:30:00.123Z  admin (laptop)  account.lock  ada  ok  203.0.113.7  <request id>`, then the details. */
export const readable = (entry: AuditEntry) =>
  [
    entry.time,
    entry.credential === null ? (entry.actor ?? '-') : `${entry.actor} (${entry.credential})`,
    entry.action,
    entry.target ?? '-',
    entry.changed === false && entry.outcome === 'ok' ? 'ok (no change)' : entry.outcome,
    entry.source ?? '-',
    ...(entry.requestId === null ? [] : [entry.requestId]),
    ...Object.entries(entry.details ?? {})
      .filter(([, value]) => value !== null)
      .map(([name, value]) => `${name}=${value}`),
  ].join('  ');
