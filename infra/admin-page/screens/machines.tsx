import { namesIn } from '#lib/account/file/cells';
import { rowOf } from '#lib/account/file/row';
import type { Account, RequestOptions } from '#lib/client/index';
import { machines as t } from '#texts/machines';
import { UsernameField } from '../accounts/fields.tsx';
import { Owner, OwnerField } from '../accounts/machines.tsx';
import { few } from '../accounts/person.tsx';
import { LastActive, State, Who } from '../accounts/who.tsx';
import type { Action } from '../act.tsx';
import type { Fields } from '../form.tsx';
import { ListScreen, Pending } from '../listing.tsx';
import { MembershipField, roleName, useKnown } from '../memberships.tsx';
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
  label: t.create,
  isMain: true,
  text: t.createText,
  children: (
    <>
      <UsernameField placeholder={t.usernamePlaceholder} hint={t.usernameHint} />
      <OwnerField />
      <RolesField />
    </>
  ),
  run: add,
  done: ({ username }) => t.created(<bdi>{username}</bdi>),
};

/** Accounts of programs. */
export const Machines = () => (
  <ListScreen
    read={read}
    caption={t.title}
    title={t.title}
    note={t.note}
    actions={[create]}
    file={{ name: 'machines', rowOf }}
    keyOf={({ id }) => id}
    empty={t.none}
    filters={[
      { name: 'q', label: t.search, type: 'search', placeholder: t.username },
      { name: 'owner', label: t.of, placeholder: t.anyone, people: [], kind: 'person' },
    ]}
    columns={[
      { label: t.columns.machine, cell: Who },
      { label: t.columns.owner, cell: Owner },
      { label: t.columns.roles, cell: ({ role_names }: Account) => few(role_names?.map(roleName)) },
      { label: t.columns.tokens, cell: ({ tokens }) => tokens },
      { label: t.columns.trusts, cell: ({ trusts }) => trusts },
      { label: t.columns.lastActive, cell: LastActive },
      { label: t.columns.state, cell: State },
    ]}
  />
);
