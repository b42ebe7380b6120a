import { Failure, invalid } from '../failure/failure.ts';
import { notForMachines } from '../failure/machine.ts';
import { type Account, isMachine } from '../item/account.ts';
import { isPseudonym } from '../item/erasure.ts';
import { expecting } from '../table/expressions.ts';
import { accountKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import type { TransactWrite } from '../table/write.ts';
import { asRead, readAccount, readAccounts, sameUsername } from './account.ts';
import { unique } from './identifiers.ts';

/** Roles of the service that a machine may have. */
const PERMITTED: readonly string[] = ['sys_introspection'];

/** Whether a machine may have a role. Roles that look like the service's count as these, whatever forces them. */
const mayHave = (role: string) => !role.toLowerCase().startsWith('sys_') || PERMITTED.includes(role);

/** @throws Failure `machine_account` if a machine may not have one of the roles */
export function checkRoles(roles: readonly string[], field = 'roles'): void {
  const [role] = roles.filter((each) => !mayHave(each));
  if (role !== undefined)
    throw notForMachines(field, `A machine may have no role of the service but ${PERMITTED.join(' and ')}`);
}

const notActive = () => invalid('owner', 'Must be the username of an active person');

/** Whether an account may answer for a machine. */
export const isActivePerson = (account: Account | undefined): account is Account =>
  account?.isactive === true && !isMachine(account);

/**
 * Those of some machines that an active person answers for, or that nobody answers for. A locked person answers.
 */
export async function ownedBy<Machine extends { readonly owner?: string | null | undefined }>(
  table: Table,
  machines: readonly Machine[],
  whom: 'somebody' | 'nobody',
): Promise<Machine[]> {
  const owners = unique(machines.flatMap(({ owner }) => (owner && !isPseudonym(owner) ? [owner] : [])));
  const accounts = await readAccounts(table, owners);
  const active = new Set(owners.filter((_, n) => isActivePerson(accounts[n])));
  return machines.filter(({ owner }) => active.has(owner ?? '') === (whom === 'somebody'));
}

/**
 * Reads the person who is to answer for a machine.
 *
 * @param username of the machine, which cannot be its own owner
 * @returns the person, and the condition that nothing has changed about that person since: a cancelled or an erased one is
 *   not named
 * @throws Failure `invalid_request` on `owner` unless that is an active person
 */
export async function readOwner(table: Table, owner: string, username: string) {
  const person = await readAccount(table, owner);
  if (!isActivePerson(person) || sameUsername(person.username, username)) throw notActive();
  const check: TransactWrite = {
    ConditionCheck: { Key: { ...accountKey(owner) }, ...expecting(asRead(person)) },
    otherwise: (item) =>
      isActivePerson(item as Account | undefined)
        ? new Failure('unavailable', { retryAfter: 1 })
        : notActive(),
  };
  return { person, check };
}
