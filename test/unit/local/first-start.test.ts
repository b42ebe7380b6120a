import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFirstStart } from '../../../infra/local/first-start.ts';
import { NAMES } from '../../../infra/local/machine/resource-names.ts';
import { openTestTable } from '../support/engine.ts';
import { newFolder } from '../support/folder.ts';

const { runtime } = await openTestTable();

test('a first start that was cut off shows other secrets, and a complete one shows none', async () => {
  const firstStart = openFirstStart(join(newFolder(), 'state.json'));
  const start = () => firstStart.run(runtime, { demo: false });
  const username = NAMES.administrator;
  const first = await start();
  const second = await start();
  for (const shown of [first, second])
    expect(shown).toEqual({ username, password: expect.any(String), token: expect.any(String) });
  expect([second.password, second.token]).not.toEqual([first.password, first.token]);
  firstStart.complete();
  expect(await start()).toEqual({ username });
  expect(await openFirstStart(undefined).run(runtime, { demo: false }), 'a shared table').toEqual({
    username,
  });
});
