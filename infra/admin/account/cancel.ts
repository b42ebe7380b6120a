import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { contract as cancelContract } from '#lib/account/lifecycle/cancel.contract';
import { reactivateAccount } from '#lib/account/lifecycle/reactivate';
import { contract as reactivateContract } from '#lib/account/lifecycle/reactivate.contract';
import { liveTokens } from '#lib/item/account';
import type { Command } from '../command.ts';
import { BY_NAME } from '../erased-person.ts';
import { ACCOUNT, LEAVING, of } from '../operator-needs.ts';
import { option } from '../options.ts';
import { confirm } from '../terminal/ask.ts';
import { FORCE, type Force } from './administrators.ts';
import { onAccount, onLeaving } from './on-account.ts';

export const cancel: Command = {
  name: 'account cancel <username>',
  description: 'cancel an account; its sessions end, its credentials are refused, subscribers clean up',
  options: [option('--yes', 'do not prompt for confirmation'), FORCE],
  group: 'administrator',
  inputs: {
    table: 'the report of what an administrator made lacks something',
    log: 'the report lists an account that is not theirs; it changes nothing',
  },
  needs: [LEAVING, 'table:BatchGetItem:ERASED', BY_NAME, of(cancelContract)],
  audited: true,
  run: onLeaving(async ({ runtime, actor }, it, { yes }: { yes?: true } & Force) => {
    await confirm(
      `Cancelling ${it.username} ends its sessions, disables its password and its API tokens (${liveTokens(it, runtime.now())}), and lets subscribers of user_cancel clean up after it. "account reactivate" undoes this, except for the sessions and the work of subscribers.`,
      yes,
    );
    return cancelAccount(runtime, it, actor);
  }),
};

export const reactivate: Command = {
  name: 'account reactivate <username>',
  description: 'make a cancelled account active again',
  options: [
    option('--revoke-tokens', 'delete its API tokens; by default they work again'),
    option('--end-passkeys', 'end its passkeys; by default they work again'),
  ],
  group: 'administrator',
  inputs: { table: 'tokens that somebody has made work again, except with `--revoke-tokens`' },
  needs: [ACCOUNT, of(reactivateContract)],
  audited: true,
  run: onAccount(
    ({ runtime, actor }, it, { revokeTokens, endPasskeys }: { revokeTokens?: true; endPasskeys?: true }) =>
      reactivateAccount(runtime, it, actor, { revoke_tokens: revokeTokens, end_passkeys: endPasskeys }),
  ),
};
