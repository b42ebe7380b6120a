import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createAccount } from '#lib/account/create';
import { accountKey } from '#lib/table/keys';
import { update } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { openTarget } from '../../infra/admin/target.ts';
import { newFolder } from '../unit/support/folder.ts';
import { startInstance } from './instance-process.ts';
import { get, noted } from './service.ts';

test('a bug is answered without a word about it, and described in the log and on the terminal', async () => {
  const data = newFolder();
  const instance = await startInstance({ data, args: ['--no-demo', '--memory'] });
  const { runtime, actor } = await openTarget({ data });
  const account = await createAccount(runtime, { username: 'ada' });
  const token = noted((await createToken(runtime, account, 'ci', actor)).value as string);
  // The service never writes such an item, and cannot read it.
  await update(runtime.table, {
    Key: accountKey('ada'),
    UpdateExpression: 'SET #roles = :number',
    ExpressionAttributeNames: { '#roles': 'roles' },
    ExpressionAttributeValues: { ':number': 5 },
  });

  const reply = await get('/api/core/account/browse', { base: instance.ready.url, token });
  expect([reply.status, reply.body.data]).toEqual([500, { code: 'internal' }]);
  const { requestID } = reply.body;
  await expect.poll(instance.output).toContain(requestID);
  const [line] = instance.output().match(new RegExp(`^.*${requestID}.*$`, 'm')) ?? [];
  expect(line).toMatch(
    /^error {2}account\.browse {2}.* {2}TypeError: .*includes is not a function {2}at .*lib\/account\/caller\.ts:\d+:\d+\)$/,
  );

  const log = await readFile(join(data, 'functions.log'), 'utf8');
  const [logged] = log.split('\n').filter((one) => one.includes(requestID) && one.includes('"error"'));
  const stack = expect.arrayContaining([
    expect.stringMatching(/^at authorize \(lib\/account\/caller\.ts:\d+:\d+\)$/),
  ]);
  const error = { name: 'TypeError', message: expect.stringContaining('includes is not a function'), stack };
  expect(JSON.parse(logged as string)).toMatchObject({ function: 'account.browse', code: 'internal', error });
});
