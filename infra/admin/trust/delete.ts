import { readAccount } from '#lib/account/account';
import { ignore } from '#lib/failure/failure';
import type { TrustItem } from '#lib/item/trust';
import { patiently } from '#lib/table/bulk';
import { ALL_TRUSTS } from '#lib/table/keys';
import { everythingIn } from '#lib/table/listing';
import { deleteTrust } from '#lib/trust/delete';
import { contract } from '#lib/trust/delete.contract';
import { find } from '../account/find.ts';
import type { Command } from '../command.ts';
import { ACCOUNT, withoutLimits } from '../operator-needs.ts';
import { option } from '../options.ts';
import type { Recorded } from '../recording.ts';
import { confirm } from '../terminal/ask.ts';
import { counted } from '../terminal/progress.ts';

interface Options {
  readonly issuer?: string;
  readonly yes?: true;
}

export const remove: Command = {
  name: 'trust delete [trust] [username]',
  description: 'delete a trust, or all of an issuer; the next request with one of its sessions is refused',
  options: [
    option('--issuer <name>', 'all trusts of this issuer, which need not be in the settings any more'),
    option('--yes', 'do not prompt for confirmation'),
  ],
  faultOf: ({ issuer }: Options, { length: names }) =>
    names === (issuer === undefined ? 2 : 0) ? undefined : 'give <trust> and <username>, or --issuer <name>',
  group: 'support',
  inputs: {},
  needs: [ACCOUNT, withoutLimits(contract)],
  audited: true,
  run: async (target, trust: string, username: string) => {
    target.note({ trust });
    return deleteTrust(target.runtime, await find(target, username), trust, target.actor);
  },
  variants: {
    issuer: {
      needs: [ACCOUNT, 'index:GSI1:TRUSTS', withoutLimits(contract)],
      audited: true,
      run: removeAll,
    },
  },
};

/** Deletes all trusts of an issuer one by one, each with its event. A new search finds those that the index did not have yet. */
async function removeAll(target: Recorded, _trust: undefined, _username: undefined, options: Options) {
  const { runtime, actor, record, note } = target;
  const { issuer = '', yes } = options;
  note({ issuer });
  const found: TrustItem[] = [];
  for await (const page of everythingIn(runtime.table, ALL_TRUSTS))
    found.push(...(page as TrustItem[]).filter(({ trust_issuer }) => trust_issuer === issuer));
  await confirm(
    `Deleting ${counted(found.length, 'trust')} of the issuer ${issuer}. Sessions that began with them end, too. Trusts of the last second may be missing: repeat it until it finds none.`,
    yes,
  );
  let deleted = 0;
  for (const { trust_owner, trust_name: trust, trust_id: id } of found) {
    await patiently(async () => {
      const machine = await readAccount(runtime.table, trust_owner);
      return machine && deleteTrust(runtime, machine, trust, actor, { id }).catch(ignore('trust_not_found'));
    });
    await record([{ target: trust_owner, details: { trust, issuer } }]);
    deleted += 1;
  }
  return { issuer, deleted, changed: deleted > 0 };
}
