import { expect, test } from 'vitest';
import { createAccount } from '#lib/account/create';
import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { storeEntries } from '#lib/audit/store';
import { FUNCTIONS } from '#lib/audit/streams';
import { completeErasures } from '#lib/erasure/complete';
import { eraseAccount } from '#lib/erasure/erase';
import { recordErased } from '#lib/erasure/record';
import { pseudonymOf } from '#lib/item/erasure';
import { erasedIdKey, erasureKey } from '#lib/table/keys';
import { SETTLED_MS } from '#lib/table/pass';
import { get } from '#lib/table/read';
import { isoOf } from '#lib/time';
import { newName } from '../../names.ts';
import { by, NOON, openTestTable } from '../support/engine.ts';
import { uuidOf } from '../support/items.ts';
import { logLines } from '../support/log-lines.ts';
import { lineOf, tracesIn, wholeTable } from './person.ts';

const bench = await openTestTable({ ErasureAfterDays: '0' });
const { table, account, stored, clock } = bench;
const runtime = { ...bench.runtime, publish: async <T>(events: T) => events };
logLines();

let last = 0;
/** An erasure as the audit log has it, of an account that the table does not know. */
const lost = (erased_by = 'root', at = NOON - 1000) => ({
  username: newName('lost'),
  erased: { erased_id: uuidOf(++last), erased_at: isoOf(at), erased_by },
});
const record = ({ username, erased }: ReturnType<typeof lost>) => recordErased(runtime, username, erased);
const rowOf = ({ erased }: ReturnType<typeof lost>) => get(table, erasedIdKey(erased.erased_id));
const repeat = (named: string) => eraseAccount(runtime, named, undefined, by('root'));

test('recordErased refuses the name to new accounts, and hides it in entries that were stored before', async () => {
  const it = lost();
  await storeEntries({ ...runtime }, FUNCTIONS, [
    lineOf({ actor: it.username }),
    lineOf({ target: it.username }),
  ]);
  await record(it);
  expect(await rowOf(it)).toMatchObject(it.erased);
  expect(await repeat(it.username)).toMatchObject({ userid: it.erased.erased_id, complete: false });
  await expect(createAccount(runtime, { username: it.username })).rejects.toMatchObject({
    code: 'account_erased',
  });
  for (const _ of ['hides', 'completes']) {
    clock.time += SETTLED_MS;
    await completeErasures(runtime, 'run');
  }
  expect(tracesIn(await wholeTable(bench), it.username)).toEqual([]);
  expect(await repeat(it.username)).toMatchObject({ complete: true });
});

test('recordErased names an erased actor by its pseudonym, but not another one who had the name before', async () => {
  const actor = await account();
  await cancelAccount(runtime, actor, by('root'));
  await eraseAccount(runtime, actor.username, await stored(actor), by('root'));
  const [ofActor, ofNext] = [lost(actor.username.toUpperCase()), lost(actor.username, NOON + 1)];
  await record(ofActor);
  await record(ofNext);
  expect(await rowOf(ofActor)).toMatchObject({ erased_by: pseudonymOf(actor.id) });
  expect(await rowOf(ofNext)).toMatchObject({ erased_by: actor.username });
});

test.each([
  ['an earlier', 1000],
  ['a later', -1000],
])('recordErased leaves the name to the latest of two erasures, after %s one', async (_, later) => {
  const first = lost();
  const second = { ...lost('root', NOON - 1000 + later), username: first.username };
  await record(first);
  await record(second);
  const latest = later > 0 ? second : first;
  expect(await repeat(first.username)).toMatchObject({ userid: latest.erased.erased_id });
  expect(await rowOf(second)).toMatchObject(second.erased);
  expect((await get(table, erasureKey(second.erased.erased_id))) !== undefined).toBe(later > 0);
});

test('recordErased leaves an account that has the name', async () => {
  const next = await account();
  const it = { ...lost(), username: next.username };
  await record(it);
  expect(await stored(next)).toMatchObject(next);
  expect(await rowOf(it)).toMatchObject(it.erased);
  expect(await get(table, erasureKey(it.erased.erased_id))).toBeUndefined();
  await expect(repeat(next.username)).rejects.toMatchObject({ code: 'account_not_found' });
});
