import { useState } from 'preact/hooks';
import type { Account } from '#lib/client/index';
import { isPseudonym } from '#lib/item/erasure';
import type { Action } from '../act.tsx';
import { Confirm } from '../parts.tsx';
import { hrefTo } from '../place.ts';
import { People } from '../search.tsx';
import { client } from '../session.ts';
import { Username } from './who.tsx';

export const isMachine = ({ kind }: Pick<Account, 'kind'>) => kind === 'machine';

/** The person who answers for a machine. */
export const Owner = ({ owner }: Account) =>
  owner ? (
    <span class={isPseudonym(owner) ? 'bad' : undefined}>
      <Username username={owner} />
    </span>
  ) : null;

/** A link to the machines that a person answers for. */
export const Owned = ({ username }: Pick<Account, 'username'>) => (
  <a href={hrefTo('machines', { owner: username })}>
    Machines of <bdi>{username}</bdi>
  </a>
);

/** A field for the person who answers for a machine. */
export function OwnerField() {
  const [owner, setOwner] = useState<string>();
  return (
    <People
      label="Owner"
      name="owner"
      kind="person"
      required
      value={owner}
      onPick={setOwner}
      hint="The person who answers for it, and whom you ask when it does something odd."
    />
  );
}

export const changeOwner = ({ username }: Account): Action => ({
  label: 'Change owner',
  text: 'The person answers for the machine from now on. Its roles, tokens and trusts stay as they are.',
  children: <OwnerField />,
  run: ({ owner = '' }, options) => client.account.access({ username, owner }, options),
  done: ({ owner = '' }) => (
    <>
      <bdi>{owner}</bdi> answers for <bdi>{username}</bdi> from now on.
    </>
  ),
});

export const becomeMachine = ({ username }: Account): Action => ({
  label: 'Turn into a machine',
  text: 'Its password, one-time code, passkeys and sessions end, and it cannot get others. Its API tokens, roles, teams and applications stay. Nobody can turn it back into a person.',
  isDangerous: true,
  children: (
    <>
      <OwnerField />
      <Confirm
        text={username}
        hint="Remove the roles sys_administrator and sys_tokens first: machines cannot have them."
      />
    </>
  ),
  run: ({ owner = '' }, options) => client.account.access({ username, kind: 'machine', owner }, options),
  done: ({ owner = '' }) => (
    <>
      <bdi>{username}</bdi> is a machine now: its password, passkeys and sessions have ended.{' '}
      <bdi>{owner}</bdi> answers for it.
    </>
  ),
});
