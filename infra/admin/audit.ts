import { InvalidArgumentError } from 'commander';
import type { AuditEntry } from '#lib/item/audit-entry';
import { trimmed } from '#lib/text/trimmed';
import type { AuditFilter } from './audit-trail.ts';
import type { Command } from './command.ts';
import { givenPseudonym, loggedErasures } from './erased-person.ts';
import { option } from './options.ts';
import { listed } from './output.ts';
import type { Target } from './target.ts';
import { since, TIME } from './times.ts';

export const audit: Command = {
  name: 'audit',
  description: 'list who did what to whom, when, from where and with what result; oldest first',
  options: [
    option(
      '--target <name>',
      'an account and its tokens, a token as name@username, a key, or erased:<id>',
      name,
    ),
    option('--actor <name>', 'an account, erased:<id>, the ARN of an operator, or "operator" for all', name),
    option('--action <id>', 'such as account.lock, or "admin account password"', name),
    option('--outcome <code>', 'result: ok, started, or the code of a failure', name),
    option('--source <address>', 'address of a request, or host of an operator', name),
    option('--role <role>', 'changes that added or removed this role', name),
    option('--since <time>', `start of the period: ${TIME}`, since),
    option('--until <time>', `end of the period: ${TIME}`, since),
  ],
  group: 'support',
  inputs: { log: 'an entry of its own stream with any target and time; its actor is that of the stream' },
  needs: ['audit:read'],
  audited: false,
  run: async (target, filter: AuditFilter) => {
    const entries = await read(target, filter);
    return listed(entries, entries.map(readable));
  },
};

/**
 * The entries that meet a filter. One that names `erased:<id>` also finds those that have the name of the person, until the
 * erasure.
 */
async function read(target: Target, filter: AuditFilter): Promise<AuditEntry[]> {
  const { audit } = target;
  const filters = [filter];
  for (const field of ['actor', 'target'] as const) {
    const pseudonym = givenPseudonym(filter[field] ?? '');
    if (pseudonym === undefined) continue;
    for (const one of (await loggedErasures(target)).filter((each) => each.pseudonym === pseudonym)) {
      const until = Math.min(filter.until ?? one.erased_at, one.erased_at);
      filters.push({ ...filter, [field]: one.username, until });
    }
  }
  const all = (await Promise.all(filters.map((each) => audit.read(each)))).flat();
  return all.sort((one, other) => Date.parse(one.time) - Date.parse(other.time));
}

/** Names without quotes, which would change a pattern of CloudWatch Logs. */
function name(given: string): string {
  const text = trimmed(given);
  if (!/^[\w.@+:=,/ -]{1,300}$/.test(text))
    throw new InvalidArgumentError('The audit log cannot contain this name.');
  return text;
}

/** `2026-11-20T05:30:00.123Z  admin (laptop)  account.lock  ada  ok  203.0.113.7  <request id>`, then the details. */
export const readable = (entry: AuditEntry) =>
  [
    entry.time,
    actorOf(entry),
    entry.action,
    entry.target ?? '-',
    entry.changed === false && entry.outcome === 'ok' ? 'ok (no change)' : entry.outcome,
    entry.source ?? '-',
    ...(entry.requestId === null ? [] : [entry.requestId]),
    ...Object.entries(entry.details ?? {})
      .filter(([name, value]) => value !== null && name !== 'claimed_by')
      .map(([name, value]) => `${name}=${value}`),
  ].join('  ');

/** `admin (laptop)`, or `operator:support (unproved: <ARN>)`, where the stream proves only the former. */
function actorOf({ actor, credential, details }: AuditEntry): string {
  const claim = details?.['claimed_by'];
  const more = claim === undefined ? credential : `unproved: ${claim}`;
  return more === null ? (actor ?? '-') : `${actor} (${more})`;
}
