import { Argument } from 'commander';
import { lockAccount, unlockAccount } from '#lib/account/lifecycle/lock';
import { contract as lockContract } from '#lib/account/lifecycle/lock.contract';
import { contract as unlockContract } from '#lib/account/lifecycle/unlock.contract';
import { auditedTerms, type LockTerms, lockTerms } from '#lib/account/lock-terms';
import { setLockoutEnabled } from '#lib/account/lockout-enabled';
import { MAX_REASON } from '#lib/account/maxima';
import { parse } from '#lib/input/parse';
import { loginRefusals } from '#lib/login/refusals';
import type { Command } from '../command.ts';
import { BY_NAME } from '../erased-person.ts';
import { ACCOUNT, LEAVING, of } from '../operator-needs.ts';
import { option } from '../options.ts';
import { AHEAD, ahead } from '../times.ts';
import { FORCE, type Force } from './administrators.ts';
import { CREDENTIALS, withCredentials } from './credentials.ts';
import { onAccount, onLeaving, updating } from './on-account.ts';

export const lock: Command = {
  name: 'account lock <username>',
  description: 'lock an account until an unlock or --until; its sessions end, its credentials are refused',
  options: [
    option('--reason <text>', `shown to administrators; at most ${MAX_REASON} characters`),
    option('--until <time>', `end of the lock: ${AHEAD}`, ahead),
    FORCE,
  ],
  group: 'support',
  inputs: {
    table: 'the report of what an administrator made lacks something',
    log: 'the report lists an account or a token that is not theirs; it changes nothing',
  },
  needs: [LEAVING, CREDENTIALS, 'table:BatchGetItem:ERASED', of(lockContract)],
  spare: BY_NAME,
  audited: true,
  run: onLeaving(async (target, it, { reason, until }: LockTerms & Force) => {
    const { runtime, actor, note } = target;
    const terms = parse(lockTerms(), { reason, until: until && new Date(until).toISOString() });
    note(auditedTerms(terms));
    return withCredentials(target, it.username, await lockAccount(runtime, it, actor, terms));
  }),
};

export const unlock: Command = {
  name: 'account unlock <username>',
  description: 'end a lock or a temporary lockout, and forget failed logins',
  group: 'support',
  inputs: { table: 'the list of credentials lacks one' },
  needs: [CREDENTIALS, 'table:Query:ATTEMPTS', of(unlockContract)],
  audited: true,
  run: onAccount(async (target, it) => {
    const { runtime, actor } = target;
    const lifted = (await loginRefusals(runtime, it)).filter((reason) => reason !== 'cancelled');
    const answer = { ...(await unlockAccount(runtime, it, actor)), lifted };
    return withCredentials(target, it.username, answer);
  }),
};

export const lockout: Command = {
  name: 'account lockout <username>',
  description: 'turn the temporary lockout after failed logins on or off',
  configure: (parser) => parser.addArgument(new Argument('<switch>', 'on or off').choices(['on', 'off'])),
  group: 'administrator',
  inputs: {},
  needs: [ACCOUNT, 'table:UpdateItem:ACCOUNT:lockout'],
  audited: true,
  run: updating(({ runtime }, it, state: string) => setLockoutEnabled(runtime.table, it, state === 'on')),
};
