import { relyingPartyId } from '#lib/instance/relying-party';
import { removePasskey } from '#lib/passkey/delete';
import { passkeysOf, shown } from '#lib/passkey/passkey';
import { contract as deleteContract } from '#lib/passkey/passkey-delete.contract';
import type { Command } from '../command.ts';
import { ACCOUNT, of } from '../operator-needs.ts';
import { listed } from '../output.ts';
import type { Recorded } from '../recording.ts';
import { find } from './find.ts';

export const list: Command = {
  name: 'account passkey list <username>',
  description: 'list the passkeys of an account, oldest first',
  group: 'support',
  inputs: { table: 'the list is wrong' },
  needs: [ACCOUNT, 'table:BatchGetItem:PASSKEY'],
  audited: false,
  run: async ({ runtime }, username: string) => {
    const domain = relyingPartyId(runtime.settings);
    const account = await find({ runtime }, username);
    const all = await passkeysOf(runtime.table, account);
    const items = all.map((each) => shown(each, domain, account));
    const lines = items.map(({ name, created_at, used_at, rp_id, usable, backed_up, counter_fell_at }) =>
      [
        ...[name, created_at, used_at ?? 'never used'],
        usable ? rp_id : `${rp_id} (not usable)`,
        backed_up ? 'copied' : 'not copied',
        ...(counter_fell_at ? [`refused since ${counter_fell_at}: its counter fell back, remove it`] : []),
      ].join('  '),
    );
    return listed(items, lines);
  },
};

const NAMED = 'transaction:UpdateItem:ACCOUNT:passkey_delete';

export const remove: Command = {
  name: 'account passkey remove <passkey> <username>',
  description:
    'remove a lost or stolen passkey; all sessions of the account and the codes that it has made end',
  group: 'administrator',
  inputs: {},
  needs: [
    ACCOUNT,
    'transaction:UpdateItem:ACCOUNT:passkey_remedy',
    of(deleteContract).filter((need) => need !== NAMED),
  ],
  audited: true,
  run: async ({ runtime, actor, note }: Recorded, passkey: string, username: string) => {
    note({ passkey });
    return removePasskey(runtime, await find({ runtime }, username), passkey, actor, { isRemedy: true });
  },
};
