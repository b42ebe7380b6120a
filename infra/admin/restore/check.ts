import { mendTable, tableFindings } from '../../table/checks.ts';
import { readTableState } from '../../table/state.ts';
import { type Diagnosis, report } from '../diagnosis.ts';
import { allKeysOf, type KeyStore } from '../keys.ts';
import type { Output } from '../output.ts';
import type { Recorded } from '../recording.ts';
import type { Target } from '../target.ts';
import { ERASURE_KEY, keepKey } from './erasure-key.ts';
import { ERASURES, erasureFindings, recordLost } from './erasures.ts';
import { KEY_CHECKS, keyFindings, publishCurrentKey } from './published-key.ts';

/** @throws Refusal `restore_incomplete` with what is missing, `table_not_found` */
export async function compare(target: Target, record?: Recorded['record']): Promise<Output> {
  const stores = allKeysOf(target);
  const now = target.runtime.now();
  const before = await findingsOf(target, stores, now);
  const missing = before.filter(({ state }) => state === 'missing' && record && !before.some(isNoTable));
  const mends: Readonly<Record<string, () => Promise<void>>> = {
    ...Object.fromEntries(
      stores.map((store) => [KEY_CHECKS[store.use.signs].own, () => publishCurrentKey(store, now)]),
    ),
    [ERASURE_KEY]: () => keepKey(target),
    [ERASURES.lost]: () => recordLost(target),
  };
  const attempts = new Map<string, Error | undefined>();
  for (const check of new Set(missing.map((one) => one.check))) {
    console.error(`mending  ${check}`);
    const mended = mends[check]?.() ?? mendTable(target.runtime.table, check);
    const error = await mended.then(() => undefined).catch((error: Error) => error);
    attempts.set(check, error);
    const result = error ? { outcome: error.name, changed: null } : {};
    await record?.([{ target: null, ...result, details: { check } }]);
  }
  const after = missing.length > 0 ? await findingsOf(target, stores, now) : before;
  const diagnoses = after.map((finding): Diagnosis => {
    if (!attempts.has(finding.check)) return finding;
    if (finding.state === 'ok') return { ...finding, state: 'mended' };
    const error = attempts.get(finding.check);
    return error ? { ...finding, found: `${finding.found}; ${error.name}: ${error.message}` } : finding;
  });
  return report(diagnoses, {
    code: 'restore_incomplete',
    message: () => `The table ${target.runtime.table.name} has faults: --mend adds only what is missing`,
    changed: missing.length > 0,
  });
}

/** Whether the table is not ready yet or does not belong to this service. */
const isNoTable = ({ check, state }: Diagnosis) =>
  state === 'wrong' && (check === 'status' || check === 'key_schema');

async function findingsOf(target: Target, stores: readonly KeyStore[], now: number): Promise<Diagnosis[]> {
  const findings = tableFindings(await readTableState(target.runtime.table));
  // A table of another program has no keys to query.
  if (findings.some(isNoTable)) return findings;
  const ofKeys = await Promise.all(stores.map((store) => keyFindings(store, now)));
  return [...findings, ...ofKeys.flat(), ...(await erasureFindings(target))];
}
