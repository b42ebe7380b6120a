import { namesIn } from '#lib/account/file/cells';
import { rowOf } from '#lib/account/file/row';
import type { Account, RequestOptions } from '#lib/client/index';
import { UsernameField } from '../accounts/fields.tsx';
import { Owner, OwnerField } from '../accounts/machines.tsx';
import { few } from '../accounts/person.tsx';
import { LastActive, State, Who } from '../accounts/who.tsx';
import type { Action } from '../act.tsx';
import type { Fields } from '../form.tsx';
import { ListScreen, Pending } from '../listing.tsx';
import { MembershipField, useKnown } from '../memberships.tsx';
import { go, hrefTo } from '../place.ts';
import { client } from '../session.ts';

const { browse } = client.account;

const read = (input: Parameters<typeof browse>[0], options: RequestOptions) =>
  browse({ kind: 'machine', names: true, ...input }, options);

function RolesField() {
  const { query, known } = useKnown(true);
  return (
    <>
      <MembershipField kind="roles" known={known} />
      <Pending {...query} isLoading={false} />
    </>
  );
}

async function add({ username = '', owner = '', roles }: Fields, options: RequestOptions) {
  const names = namesIn(roles);
  const machine = { username, kind: 'machine', owner, ...(names.length > 0 && { roles: names }) } as const;
  await client.account.create(machine, options);
  go(hrefTo('account', { username }));
}

const create: Action = {
  label: 'Create machine',
  isMain: true,
  text: 'A machine is an account for a program. It has no password, code or passkey, so no person logs in as it.',
  children: (
    <>
      <UsernameField placeholder="deploy-bot" hint="It cannot be changed." />
      <OwnerField />
      <RolesField />
    </>
  ),
  run: add,
  done: ({ username }) => (
    <>
      The machine <bdi>{username}</bdi> is created. Create a trust, so that it signs in without a secret, or
      an API token.
    </>
  ),
};

/** Accounts of programs. */
export const Machines = () => (
  <ListScreen
    read={read}
    caption="Machines"
    title="Machines"
    note="Programs that sign in by themselves. A person answers for each. Sorted by username."
    actions={[create]}
    file={{ name: 'machines', rowOf }}
    keyOf={({ id }) => id}
    empty="No machines. Create one for each program that works with this service."
    filters={[
      { name: 'q', label: 'Search', type: 'search', placeholder: 'Username' },
      { name: 'owner', label: 'Machines of', placeholder: 'Anyone', people: [], kind: 'person' },
    ]}
    columns={[
      { label: 'Machine', cell: Who },
      { label: 'Owner', cell: Owner },
      { label: 'Roles', cell: ({ role_names }: Account) => few(role_names) },
      { label: 'Tokens', cell: ({ tokens }) => tokens },
      { label: 'Trusts', cell: ({ trusts }) => trusts },
      { label: 'Last active', cell: LastActive },
      { label: 'State', cell: State },
    ]}
  />
);
