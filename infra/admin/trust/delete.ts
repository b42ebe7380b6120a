import { readAccount } from '#lib/account/account';
import { ignore } from '#lib/failure/failure';
import type { TrustItem } from '#lib/item/trust';
import { patiently } from '#lib/table/bulk';
import { ALL_TRUSTS } from '#lib/table/keys';
import { everythingIn } from '#lib/table/listing';
import { foldCase } from '#lib/text/fold-case';
import { trimmed } from '#lib/text/trimmed';
import { deleteTrust } from '#lib/trust/delete';
import { contract } from '#lib/trust/delete.contract';
import { find } from '../account/find.ts';
import type { Command } from '../command.ts';
import { BY_NAME, makerNames } from '../erased-person.ts';
import { ACCOUNT, withoutLimits } from '../operator-needs.ts';
import { option } from '../options.ts';
import type { Recorded } from '../recording.ts';
import { confirm } from '../terminal/ask.ts';
import { counted } from '../terminal/progress.ts';
import { since, TIME } from '../times.ts';

interface Options {
  readonly issuer?: string;
  readonly createdBy?: string;
  readonly createdSince?: number;
  readonly yes?: true;
}

const isSearch = ({ issuer, createdBy, createdSince }: Options) =>
  (issuer ?? createdBy ?? createdSince) !== undefined;

const MANY = {
  needs: [ACCOUNT, 'index:GSI1:TRUSTS', withoutLimits(contract)],
  audited: true,
  run: removeAll,
} as const;

export const remove: Command = {
  name: 'trust delete [trust] [username]',
  description:
    'delete a trust, or all of an issuer or of a creator; the next request with one of their sessions is refused',
  options: [
    option('--issuer <name>', 'all trusts of this issuer, which need not be in the settings any more'),
    option(
      '--created-by <name>',
      'an account, also one that was erased, or an operator, as in trust list',
      trimmed,
    ),
    option('--created-since <time>', `only trusts created at this time or later: ${TIME}`, since),
    option('--yes', 'do not prompt for confirmation'),
  ],
  faultOf: (options: Options, { length: names }) =>
    names === (isSearch(options) ? 0 : 2)
      ? undefined
      : 'give <trust> and <username>, or --issuer <name>, --created-by <name>, --created-since <time>',
  group: 'support',
  inputs: {},
  needs: [ACCOUNT, withoutLimits(contract)],
  audited: true,
  run: async (target, trust: string, username: string) => {
    target.note({ trust });
    return deleteTrust(target.runtime, await find(target, username), trust, target.actor);
  },
  variants: {
    issuer: MANY,
    createdBy: { ...MANY, needs: [...MANY.needs, 'table:BatchGetItem:ERASED'] as const, spare: BY_NAME },
    createdSince: MANY,
  },
};

/** Deletes trusts one by one, each with its event. A new search finds those that the index did not have yet. */
async function removeAll(target: Recorded, _trust: undefined, _username: undefined, options: Options) {
  const { runtime, actor, record, note } = target;
  const { issuer, createdBy, createdSince = 0, yes } = options;
  const makers = createdBy === undefined ? undefined : (await makerNames(target, createdBy)).map(foldCase);
  note({
    ...(issuer !== undefined && { issuer }),
    ...(createdBy !== undefined && { created_by: createdBy }),
  });
  const isMeant = (trust: TrustItem) =>
    (issuer ?? trust.trust_issuer) === trust.trust_issuer &&
    (makers?.includes(foldCase(trust.trust_created_by)) ?? true) &&
    Date.parse(trust.trust_created_at) >= createdSince;
  const found: TrustItem[] = [];
  for await (const page of everythingIn(runtime.table, ALL_TRUSTS))
    found.push(...(page as TrustItem[]).filter(isMeant));
  await confirm(
    `Deleting ${counted(found.length, 'trust')}. Sessions that began with them end, too. Trusts of the last second may be missing: repeat it until it finds none.`,
    yes,
  );
  let deleted = 0;
  for (const { trust_owner, trust_name: trust, trust_id: id, trust_issuer } of found) {
    await patiently(async () => {
      const machine = await readAccount(runtime.table, trust_owner);
      return machine && deleteTrust(runtime, machine, trust, actor, { id }).catch(ignore('trust_not_found'));
    });
    await record([{ target: trust_owner, details: { trust, issuer: trust_issuer } }]);
    deleted += 1;
  }
  return { deleted, changed: deleted > 0 };
}
