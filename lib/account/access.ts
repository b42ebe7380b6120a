import * as z from 'zod/mini';
import { bestEffort } from '../async/best-effort.ts';
import { PATIENT } from '../async/retry.ts';
import { Answer } from '../contract/answer.ts';
import type { Actor } from '../event/event.ts';
import { Failure, invalid } from '../failure/failure.ts';
import { type Account, isMachine } from '../item/account.ts';
import type { Announcing } from '../outbox/announcement.ts';
import { commitWithEvents } from '../outbox/commit.ts';
import { endingCodes } from '../table/ending-codes.ts';
import { assign } from '../table/expressions.ts';
import { accountKey, passwordKey } from '../table/keys.ts';
import { remove } from '../table/write.ts';
import { sameUsername } from './account.ts';
import { keepingAdministrator } from './administrators.ts';
import { changeAccount } from './change-account.ts';
import { endOfPasskeys } from './end-passkeys.ts';
import { username } from './identifiers.ts';
import { checkRoles, readOwner } from './machine.ts';
import { answerOf, changeMemberships, membershipFields, namesAny } from './memberships.ts';

/** A change of the memberships of an account, of the owner of a machine, or of a person into a machine. */
export const accessChange = () =>
  z
    .extend(membershipFields(), {
      owner: z.optional(username()),
      kind: z.optional(z.literal('machine', 'Must be machine: a machine stays one')),
    })
    .check(({ value, issues }) => {
      const { add = {}, remove = {}, owner, kind } = value;
      const fault = (message: string, ...path: string[]) =>
        issues.push({ code: 'custom', message, path, input: value });
      const names = namesAny(add) || namesAny(remove);
      if (kind && owner === undefined) fault('Is required with kind: the person who answers for it', 'owner');
      if (kind && names) fault('Must be sent without add and remove', 'kind');
      if (!names && owner === undefined && !kind) fault('Must name a role, a team or an application');
    })
    .register(z.globalRegistry, { minProperties: 1 });

export type AccessChange = z.output<ReturnType<typeof accessChange>>;

/**
 * Changes an account for an administrator. One administrator always remains: the caller, whose role is a condition of every
 * write, or another one if the caller gives up its own role.
 *
 * @throws Failure as {@link changeMemberships} and {@link becomeMachine}, `last_administrator`
 */
export async function changeAccess(
  runtime: Announcing,
  caller: Account,
  target: Account,
  { kind, owner, ...input }: AccessChange,
  actor: Actor,
) {
  if (kind) return becomeMachine(runtime, target, owner as string, actor);
  const isLeaving =
    sameUsername(caller.username, target.username) && input.remove?.roles?.includes('sys_administrator');
  const table = isLeaving ? await keepingAdministrator(runtime, target) : runtime.table;
  const changed = await changeMemberships({ ...runtime, table }, target, input, { owner });
  return answerOf(changed, (all) => ({ username: target.username, ...all, ...kindOf(changed.after) }));
}

const kindOf = ({ kind, owner }: Account) => ({ kind: kind ?? ('person' as const), owner: owner ?? null });

/**
 * Turns the account of a person into one of a machine, for good. What lets a person in ends in the same write: its password,
 * the one-time codes that it has and those that it has made, its passkeys and its sessions. Codes, passkeys and roles that are
 * being written meanwhile expect another stamp or another number of transitions.
 *
 * @param owner username of the person who is to answer for it
 * @throws Failure `machine_account` if it has a role that no machine may have; `account_cancelled`, `invalid_request` on
 *   `owner`
 */
export async function becomeMachine(runtime: Announcing, target: Account, owner: string, actor: Actor) {
  const { person, check } = await readOwner(runtime.table, owner, target.username);
  const end = await changeAccount(
    target,
    async (account) => {
      if (isMachine(account)) throw invalid('kind', 'Is a machine already: send owner only');
      if (!account.isactive) throw new Failure('account_cancelled');
      checkRoles(account.roles, 'kind');
      const passkeys = endOfPasskeys(runtime, account, actor);
      const to = {
        ...passkeys.to,
        ...passkeys.counted,
        kind: 'machine' as const,
        owner: person.username,
        stamp: runtime.uuid(),
      };
      const after = { ...account, ...to };
      const expected = { ...passkeys.expected, stamp: account.stamp };
      const writes = [
        {
          Update: {
            Key: accountKey(account.username),
            ...endingCodes(assign(to, expected), runtime),
          },
        },
        check,
        ...passkeys.writes,
      ];
      const failed = await commitWithEvents(runtime, writes, passkeys.events(after), PATIENT);
      return failed ?? { after, passkeys };
    },
    PATIENT.attempts,
  );
  // A login asks for no password of a machine, whether or not this succeeds.
  await Promise.all([
    end.passkeys.removeItems(),
    bestEffort(remove(runtime.table, passwordKey(target.username))),
  ]);
  const none = { roles_added: [], roles_removed: [], teams_added: [], teams_removed: [] };
  return new Answer(
    {
      username: end.after.username,
      ...none,
      apps_added: [],
      apps_removed: [],
      ...kindOf(end.after as Account),
    },
    {
      details: {
        machine_owner: person.username,
        to_machine: true,
        ...(end.passkeys.ended > 0 && { passkeys_ended: end.passkeys.ended }),
      },
    },
  );
}
