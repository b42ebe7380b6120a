import { useState } from 'preact/hooks';
import { inParallel } from '#lib/async/in-parallel';
import type { Account } from '#lib/client/index';
import { bulk as t } from '#texts/bulk';
import { CHANGES, type Change } from '../../accounts/changes.tsx';
import { Owned } from '../../accounts/machines.tsx';
import { useDraft } from '../../form.tsx';
import { Pending } from '../../listing.tsx';
import { Promotion, RoleField } from '../../memberships.tsx';
import { Confirm, Lines } from '../../parts.tsx';
import { useQuery } from '../../query.ts';
import { ADMINISTRATOR, AT_ONCE, client, useOwnName } from '../../session.ts';
import { line } from './lines.tsx';

/** The people who answer for machines, which a cancellation leaves without an owner. */
function MachinesOf({ chosen }: { readonly chosen: readonly Account[] }) {
  const owners = useQuery(async (signal) => {
    const found = new Set<string>();
    const machines = client.account.browse({ kind: 'machine', limit: 1000 }, { signal });
    for await (const { owner } of machines) if (owner) found.add(owner);
    return found;
  }, []);
  const named = chosen.filter(({ username }) => owners.data?.has(username));
  return (
    <>
      <Pending {...owners} isLoading={false} />
      {named.length > 0 && (
        <div>
          <p>{t.machines(named.length)}</p>
          <ul class="plain">
            {named.map(({ username }) => (
              <li key={username}>
                <Owned username={username} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** The roles of accounts by their IDs; those that the list has not named are read. */
const useHeld = (accounts: readonly Account[]) =>
  useQuery(async (signal) => {
    const read = async ({ id, username, role_names }: Account) => {
      const named =
        role_names ?? (await client.account.profile({ username, pscope: ['roles'] }, { signal })).roles;
      return [id, named ?? []] as const;
    };
    return new Map(await inParallel(accounts, read, AT_ONCE));
  }, []);

/** Preview of a change on each account. */
export function Preview({ change, chosen }: { change: Change; chosen: readonly Account[] }) {
  const { will, needless, isForOthers, isOfRole, fields } = change;
  const own = useOwnName();
  const [role, setRole] = useState(useDraft('role') ?? '');
  const held = useHeld(isOfRole ? chosen : []);
  const isRead = held.data !== undefined && (!isOfRole || role !== '');
  const reasons = chosen.map((account) =>
    isForOthers && account.username === own
      ? t.isOwn
      : needless(account, held.data?.get(account.id) ?? [], role),
  );
  const due = reasons.filter((reason) => !reason).length;
  return (
    <>
      {fields}
      {isOfRole && <RoleField value={role} onType={setRole} />}
      {change === CHANGES.ADD_ROLE && role === ADMINISTRATOR && (
        <Promotion of={t.people(chosen.length)} number={chosen.length} />
      )}
      <Pending {...held} of="lines" />
      {isRead && due < chosen.length && <p role="status">{t.due(due, chosen.length)}</p>}
      {isRead && (
        <Lines label={t.willChange}>
          {chosen.map((account, index) => line(account, reasons[index] || will))}
        </Lines>
      )}
      {change === CHANGES.CANCEL && (
        <>
          <MachinesOf chosen={chosen} />
          <Confirm text={`${due}`} hint={t.cancelHint} />
        </>
      )}
    </>
  );
}
