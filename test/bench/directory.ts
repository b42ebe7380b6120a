import { randomUUID } from 'node:crypto';
import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { accountOf, draftOf, writesOf } from '#lib/account/create';
import type { Contract, Job } from '#lib/contract/contract';
import { runtimeOn } from '#lib/runtime';
import { signSession } from '#lib/session/session-token';
import { readSettings } from '#lib/settings';
import { cursorSecretKey } from '#lib/table/keys';
import { openTable } from '#lib/table/table';
import { put } from '#lib/table/write';
import { createToken } from '#lib/token/create';
import { ensureTable } from '../../infra/local/engine/create-table.ts';
import { startEngine } from '../../infra/local/engine/engine.ts';
import { NAMES } from '../../infra/local/machine/resource-names.ts';
import { adoptEnvironment, bindingsOf, sdkEnvironment } from '../../infra/local/sdk-environment.ts';
import { documentsOf } from '../document-client.ts';
import { publishKey } from '../unit/support/signing-keys.ts';

/** Items that one BatchWriteItem writes. */
const BATCH = 25;
const DAY_SECONDS = 86_400;

const FIRST_NAMES = ['Ada', 'Grace', 'Jürgen', 'Margaret'];
const LAST_NAMES = ['Lovelace', 'Hopper', 'Größwang', 'Hamilton', 'O’Neill'];

/** A directory of accounts on an engine of its own, and functions that reach it without anything in between. */
export async function openDirectory(accounts: number) {
  const engine = await startEngine();
  const endpoints = { dynamodb: engine.url, events: engine.url, secretsmanager: engine.url };
  const sdk = sdkEnvironment({}, endpoints, { accessKeyId: 'local', secretAccessKey: 'local' });
  adoptEnvironment(sdk);
  const table = openTable('bench');
  await ensureTable(table, () => undefined);
  await put(table, cursorSecretKey, { secret: randomUUID() });
  const { kid, key } = await publishKey(table);
  const runtime = runtimeOn(
    table,
    NAMES.instance,
    readSettings(() => undefined),
  );

  const account = (username: string, roles: string[], n: number) => {
    const draft = draftOf({
      username,
      roles,
      user_first_name: FIRST_NAMES[n % FIRST_NAMES.length],
      user_last_name: LAST_NAMES[n % LAST_NAMES.length],
      phonenumber: `+43 1 ${String(n).padStart(7, '0')}`,
    });
    return { ...accountOf(runtime, draft, [], Date.now()), never_used: false };
  };
  const administrator = account('administrator', ['sys_administrator'], 0);
  const all = [
    administrator,
    ...Array.from({ length: accounts - 1 }, (_, n) => account(`user-${n * 7919}.${n}`, ['editor'], n)),
  ];
  const requests = all.map((each) => ({
    PutRequest: { Item: writesOf(each, draftOf({ username: each.username }), undefined).condition.Put.Item },
  }));
  for (let at = 0; at < requests.length; at += BATCH)
    await documentsOf(table).send(
      new BatchWriteCommand({ RequestItems: { [table.name]: requests.slice(at, at + BATCH) } }),
    );

  const { id: sub, username: name, stamp: sst } = administrator;
  return {
    table,
    administrator,
    /** A new session of the administrator, who has every role that is asked for. */
    session: () =>
      signSession(runtime, { kid, key }, { sub, name, sst }, Math.floor(Date.now() / 1000), DAY_SECONDS),
    /** A new API token of the same account. */
    token: async () => {
      const actor = { by: name, requestId: randomUUID() };
      return (await createToken({ ...runtime, publish: async () => [] }, administrator, 'bench', actor))
        .value as string;
    },
    /** The variables of a function on this table. */
    env: (definition: Contract | Job) => ({ ...sdk, ...bindingsOf(definition, table.name) }),
    async close() {
      table.client.destroy();
      await engine.close();
    },
  };
}
