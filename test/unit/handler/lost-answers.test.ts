import { expect, test } from 'vitest';
import { openWrites, WRITES } from './writes.ts';

const { send } = await openWrites();

/** What an answer says of the change: the accounts differ. */
const told = (payload: unknown) => {
  const { data } = payload as { data: Record<string, unknown> };
  const { changed, roles_added } = data;
  return { changed, roles_added, fields: Object.keys(data) };
};

test.each(Object.entries(WRITES))(
  '%s is answered alike where the answer to its write is lost',
  async (_name, write) => {
    const [once, twice] = [await send(write, async () => undefined), await send(write, async () => 'lose')];
    expect(twice.reply.status).toBe(200);
    expect(told(twice.reply.payload)).toEqual(told(once.reply.payload));
    const tokens = (all: typeof once.after) => all.map(([, , , { items }]) => items.length);
    expect(tokens(twice.after)).toEqual(tokens(once.after));
  },
);
