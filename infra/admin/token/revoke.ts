import { removeRevoked } from '#lib/account/tokens/remove';
import { endGeneration } from '#lib/account/tokens/revocation';
import { bestEffort } from '#lib/async/best-effort';
import type { Account } from '#lib/item/account';
import { tokenSubject } from '#lib/item/audit-entry';
import { patiently } from '#lib/table/bulk';
import { trimmed } from '#lib/text/trimmed';
import { deleteToken } from '#lib/token/delete';
import { contract as deleteContract } from '#lib/token/delete.contract';
import { revokeTokens, tokensOf, tokensSince } from '#lib/token/revoke';
import { contract as revokeContract } from '#lib/token/revoke.contract';
import { find } from '../account/find.ts';
import type { Command } from '../command.ts';
import { BY_NAME, makerNames } from '../erased-person.ts';
import { ACCOUNT, of, TOKENS } from '../operator-needs.ts';
import { BULK, option } from '../options.ts';
import type { Recorded } from '../recording.ts';
import { confirm } from '../terminal/ask.ts';
import { counted, number, showProgress } from '../terminal/progress.ts';
import { since, TIME } from '../times.ts';

interface Options {
  readonly all?: boolean;
  readonly createdSince?: number;
  readonly createdBy?: string;
  readonly yes?: true;
}

export const remove: Command = {
  name: 'token delete <name> <username>',
  description: 'delete a token; the next request with it is refused',
  group: 'support',
  inputs: {},
  needs: [ACCOUNT, of(deleteContract)],
  audited: true,
  run: async (target, name: string, username: string) =>
    deleteToken(target.runtime, await find(target, username), name, target.actor),
};

export const revoke: Command = {
  name: 'token revoke [username]',
  description:
    'delete the tokens of all accounts that were created since a time or by an account, or all tokens of one account',
  options: [
    ...BULK,
    option('--created-since <time>', `only tokens created at this time or later: ${TIME}`, since),
    option(
      '--created-by <name>',
      'an account, also one that was erased, or an operator, as in token list',
      trimmed,
    ),
    option('--all', 'all tokens of the named account'),
  ],
  faultOf: ({ all = false, createdSince, createdBy }: Options, { length: names }) =>
    all === (names === 1) && all === (createdSince === undefined && createdBy === undefined)
      ? undefined
      : 'give --created-since <time>, --created-by <name> or both; or --all <username>',
  group: 'support',
  inputs: { table: 'tokens whose creator or time somebody has written are deleted, or stay' },
  needs: [
    ...([ACCOUNT, TOKENS, 'table:Query:REVOKED', 'table:BatchGetItem:ERASED'] as const),
    ...[of(deleteContract), of(revokeContract)],
  ],
  spare: BY_NAME,
  audited: true,
  run: revokeAll,
};

async function revokeAll(target: Recorded, username: string | undefined, options: Options) {
  const { createdSince = 0, createdBy, yes } = options;
  const { runtime, actor, record } = target;
  const { table } = runtime;
  const owner = username === undefined ? undefined : await find(target, username);
  if (owner) return revokeAllOf(target, owner, yes);
  const makers = createdBy === undefined ? undefined : await makerNames(target, createdBy);
  const tokens = await tokensSince(runtime, createdSince, makers);
  const time = new Date(createdSince).toISOString();
  const by = createdBy ? ` --created-by ${createdBy}` : '';
  await confirm(
    `Deleting ${number(tokens.found.length)} of ${counted(tokens.tokens, 'token')} in the table ${table.name}: those created at ${time} or later${by && ` by ${makers?.join(' or ')}`}. Sessions that began with them end, too. To complete an interrupted run, repeat it with --created-since ${time}${by}.`,
    yes,
  );
  const progress = showProgress('tokens');
  const { revoked } = await revokeTokens(runtime, tokens, actor, async ({ name, username }, done) => {
    await record([tokenSubject(name, username)]);
    progress.tell(done);
  }).finally(progress.end);
  const about = { created_since: time, ...(by && { created_by: createdBy }) };
  return { ...about, tokens: tokens.tokens, revoked, changed: revoked > 0 };
}

async function revokeAllOf({ runtime, actor, record }: Recorded, owner: Account, yes: true | undefined) {
  const { username } = owner;
  const { tokens } = await tokensOf(runtime, owner);
  await confirm(
    `Deleting ${counted(tokens, 'token')} of ${username}, and those that are created meanwhile. Sessions that began with them end, too.`,
    yes,
  );
  const { revocation, revoked } = await patiently(() => endGeneration(runtime, owner, actor));
  const { found } = await tokensOf(runtime, { ...owner, token_generation: revocation.revoked_generation });
  await record(found.map(({ name }) => tokenSubject(name, username)));
  // The tokens have ended; what is left, a job removes.
  await bestEffort(patiently(() => removeRevoked(runtime, revocation, Number.POSITIVE_INFINITY)));
  return { username, tokens: revoked, revoked, changed: revoked > 0 };
}
