import { CHECK_MS } from '#lib/session/lead';
import { allPublicKeys } from '#lib/table/keys';
import { query } from '#lib/table/read';
import type { Command } from './command.ts';
import {
  finished,
  keysOf,
  listKeys,
  progressOf,
  revoke as revokeAndRotate,
  startRotation,
  versionsOf,
} from './keys.ts';
import { option } from './options.ts';
import { afterChange } from './refusal.ts';

const ROTATION = ['secret:describe', 'secret:rotate', 'rotation:start', 'table:Query:KEYS'] as const;

export const list: Command = {
  name: 'keys list',
  description: 'list the keys with their state, age and secret, the newest first',
  group: 'support',
  inputs: { table: 'a list is wrong' },
  needs: ['table:Query:KEYS', 'secret:describe'],
  audited: false,
  run: async (target) => {
    const store = keysOf(target);
    const [items, own] = await Promise.all([query(store.table, allPublicKeys), versionsOf(store)]);
    return listKeys(items, own, target.runtime.now());
  },
};

export const rotate: Command = {
  name: 'keys rotate',
  description: 'start a rotation now; sessions that the old key signed stay valid until they expire',
  options: [option('--wait', 'wait until the new key is current')],
  group: 'administrator',
  inputs: { service: 'it waits for five minutes' },
  needs: [ROTATION],
  audited: true,
  run: async (target, { wait = false }: { wait?: boolean }) => {
    const store = keysOf(target);
    const started = await startRotation(store);
    target.note({ version: started.version });
    const progress = await (wait ? finished : progressOf)(store, started.version).catch(
      afterChange(`The rotation to ${started.version} has started`),
    );
    return { ...started, ...progress };
  },
};

export const revoke: Command = {
  name: 'keys revoke <kid>',
  description: `end a leaked key and all its sessions; takes at least ${CHECK_MS / 1000} seconds`,
  // The ID of a key may begin with a hyphen.
  configure: (parser) => parser.allowUnknownOption(),
  group: 'administrator',
  inputs: { table: 'another secret is rotated if it has the version that the item names; its key ends' },
  needs: [ROTATION, 'table:UpdateItem:KEYS', 'table:GetItem:KEYS'],
  audited: true,
  run: (target, kid: string) => revokeAndRotate(keysOf(target), kid),
};
