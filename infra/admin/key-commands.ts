import { RESOURCE_KEYS } from '#lib/resource/key-use';
import { type KeyUse, SESSION_KEYS } from '#lib/session/key-use';
import { CHECK_MS, GATEWAY_CACHE_SECONDS } from '#lib/session/lead';
import { query } from '#lib/table/read';
import type { Command } from './command.ts';
import {
  allKeysOf,
  finished,
  keysOf,
  listKeys,
  progressOf,
  revoke as revokeAndRotate,
  startRotation,
  versionsOf,
} from './keys.ts';
import { option } from './options.ts';
import type { Recorded } from './recording.ts';
import { afterChange } from './refusal.ts';

const ROTATION = ['secret:describe', 'secret:rotate', 'rotation:start'] as const;

export const list: Command = {
  name: 'keys list',
  description:
    'list the keys of sessions, then those of tokens for other services, with state, age, secret and use; the newest first',
  group: 'support',
  inputs: { table: 'a list is wrong' },
  needs: ['table:Query:KEYS', 'table:Query:RESOURCE_KEYS', 'secret:describe'],
  audited: false,
  run: async (target) => {
    const now = target.runtime.now();
    const lists = allKeysOf(target).map(async (store) => {
      const [items, own] = await Promise.all([query(store.table, store.use.all), versionsOf(store)]);
      return listKeys(items, own, now, store.use);
    });
    return (await Promise.all(lists)).flat();
  },
};

interface Rotation {
  readonly wait?: boolean;
}

/** Starts a rotation of the keys of a use, and answers its progress. */
const rotateKeys =
  (use: KeyUse) =>
  async (target: Recorded, { wait = false }: Rotation) => {
    const store = keysOf(target, use);
    const started = await startRotation(store);
    target.note({ version: started.version, signs: use.signs });
    const progress = await (wait ? finished : progressOf)(store, started.version).catch(
      afterChange(`The rotation to ${started.version} has started`),
    );
    return { ...started, ...progress };
  };

export const rotate: Command = {
  name: 'keys rotate',
  description: 'start a rotation now; sessions that the old key signed stay valid until they expire',
  options: [
    option('--wait', 'wait until the new key is current'),
    option(
      '--resources',
      'the keys of tokens for other services: the next key signs once gateways know it, and the new one follows it',
    ),
  ],
  group: 'administrator',
  inputs: { service: 'it waits for five minutes' },
  needs: [ROTATION, 'table:Query:KEYS'],
  audited: true,
  run: rotateKeys(SESSION_KEYS),
  variants: {
    resources: {
      needs: [ROTATION, 'table:Query:RESOURCE_KEYS'],
      audited: true,
      run: rotateKeys(RESOURCE_KEYS),
    },
  },
};

export const revoke: Command = {
  name: 'keys revoke <kid>',
  description: `end a leaked key and all that it signed; takes at least ${CHECK_MS / 1000} seconds; gateways may accept a key of tokens for other services for ${GATEWAY_CACHE_SECONDS / 3600} hours`,
  // The ID of a key may begin with a hyphen.
  configure: (parser) => parser.allowUnknownOption(),
  group: 'administrator',
  inputs: { table: 'another secret is rotated if it has the version that the item names; its key ends' },
  needs: [
    ROTATION,
    ...(['KEYS', 'RESOURCE_KEYS'] as const).flatMap(
      (kind) => [`table:Query:${kind}`, `table:UpdateItem:${kind}`, `table:GetItem:${kind}`] as const,
    ),
  ],
  audited: true,
  run: (target, kid: string) => revokeAndRotate(allKeysOf(target), kid),
};
