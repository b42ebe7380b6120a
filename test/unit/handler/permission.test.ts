import { describe, expect, test } from 'vitest';
import { type Account, FOREVER } from '#lib/item/account';
import { accountKey } from '#lib/table/keys';
import { remove } from '#lib/table/write';
import { setAttributes } from '../support/set-attributes.ts';
import { openWrites, WRITES } from './writes.ts';

const { table, send } = await openWrites();

const change = async (caller: Account, to: Partial<Account>) => {
  await setAttributes(table, caller, to);
  return undefined;
};

/** What becomes of the caller after the request has authenticated it, and the failure that follows. */
const LOSSES: [string, (caller: Account) => Promise<undefined>, number, boolean][] = [
  ['locked', (caller) => change(caller, { lockoutend: FOREVER }), 401, true],
  ['cancelled', (caller) => change(caller, { isactive: false }), 401, true],
  ['robbed of the role', (caller) => change(caller, { roles: ['other'] }), 403, false],
  ['removed', (caller) => remove(table, accountKey(caller.username)).then(() => undefined), 401, true],
];

describe.each(Object.entries(WRITES))('%s', (_name, write) => {
  test('is carried out where nothing happens to its caller', async () => {
    const { reply, before, after } = await send(write, async () => undefined);
    expect(reply.status).toBe(200);
    expect(after).not.toEqual(before);
  });

  test.each(LOSSES.filter(([, , , always]) => always || write.role))(
    'changes nothing where its caller was %s a moment ago',
    async (_loss, lose, status) => {
      const { reply, before, after } = await send(write, lose);
      expect(reply.status).toBe(status);
      expect(after).toEqual(before);
    },
  );
});

test.each(Object.entries(WRITES).filter(([, { role }]) => !role))(
  '%s needs no role',
  async (_name, write) => {
    const { reply } = await send(write, (caller) => change(caller, { roles: [] }));
    expect(reply.status).toBe(200);
  },
);
