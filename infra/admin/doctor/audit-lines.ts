import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditItem } from '#lib/item/audit-entry';
import { auditRanges } from '#lib/table/keys';
import { query } from '#lib/table/read';
import type { Table } from '#lib/table/table';
import type { Diagnosis } from '../diagnosis.ts';
import type { Target } from '../target.ts';

const CHECK = 'audit_lines';
const ACTION = 'admin doctor';

const PAUSE_MS = 500;

/**
 * Writes one line of an operator, and waits for it in the audit log and in the table, which gets it by the subscription of the
 * audit log. A copy in the table takes some seconds on a stack, and less than a minute by its promise.
 */
export async function auditLines(
  { audit, actor, operator, runtime }: Pick<Target, 'audit' | 'actor' | 'operator' | 'runtime'>,
  withinMs: number,
): Promise<Diagnosis> {
  const [started, { requestId }] = [Date.now(), actor];
  const time = new Date(started).toISOString();
  const who = { actor: operator, credential: null, source: hostname(), requestId };
  const result = { outcome: 'ok', changed: false, details: null };
  await audit.write({ time, ...who, action: ACTION, target: null, ...result });
  const isOwn = (entry: { readonly requestId: string | null }) => entry.requestId === requestId;
  const places = {
    'audit log': async () => (await audit.read({ action: ACTION, since: started })).some(isOwn),
    table: async () => (await entriesAt(runtime.table, time)).some(isOwn),
  };
  const found = new Map<string, number>();
  for (;;) {
    for (const [place, has] of Object.entries(places))
      if (!found.has(place) && (await has())) found.set(place, Date.now() - started);
    const isFound = found.size === Object.keys(places).length;
    if (isFound || Date.now() - started >= withinMs) break;
    await sleep(PAUSE_MS);
  }
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const lacking = Object.keys(places).filter((place) => !found.has(place));
  if (lacking.length === 0)
    return {
      check: CHECK,
      state: 'ok',
      found: `one line was in the table after ${seconds(found.get('table') ?? 0)}`,
    };
  return {
    check: CHECK,
    state: 'wrong',
    found: `a line is not in the ${lacking.join(' and the ')} after ${seconds(withinMs)}: infra/aws/monitoring/tickets.md, "audit-silent"`,
  };
}

/** The entries of a time. The sort key has a hash after it. */
async function entriesAt(table: Table, time: string): Promise<AuditItem[]> {
  const ranges = auditRanges(time.slice(0, 7), { after: `${time}#`, before: `${time}$` });
  return (await Promise.all(ranges.map((range) => query(table, range)))).flat();
}
