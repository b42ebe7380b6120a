import { useState } from 'preact/hooks';
import type { Account } from '#lib/client/index';
import { isPseudonym } from '#lib/item/erasure';
import { machines as t } from '#texts/machines';
import type { Action } from '../act.tsx';
import { useDraft } from '../form.tsx';
import { Confirm } from '../parts.tsx';
import { hrefTo } from '../place.ts';
import { People } from '../search.tsx';
import { client } from '../session.ts';
import { NameOf } from './names.tsx';
import { nameOf } from './person.tsx';
import { Username } from './who.tsx';

export const isMachine = ({ kind }: Pick<Account, 'kind'>) => kind === 'machine';

/** The person who answers for a machine. */
export const Owner = ({ owner }: Account) =>
  owner ? (
    <span class={isPseudonym(owner) ? 'bad' : undefined}>
      <Username username={owner}>
        <NameOf username={owner} />
      </Username>
    </span>
  ) : null;

/** A link to the machines that a person answers for. */
export const Owned = ({ username }: Pick<Account, 'username'>) => (
  <a href={hrefTo('machines', { owner: username })}>{t.owned(<NameOf username={username} />)}</a>
);

/** A field for the person who answers for a machine. */
export function OwnerField() {
  const [owner, setOwner] = useState(useDraft('owner') || undefined);
  return (
    <People
      label={t.owner}
      name="owner"
      kind="person"
      required
      value={owner}
      onPick={setOwner}
      hint={t.ownerHint}
    />
  );
}

export const changeOwner = (account: Account): Action => {
  const { username } = account;
  const machine = <bdi>{nameOf(account) || username}</bdi>;
  return {
    label: t.changeOwner,
    title: t.changeOwnerAsk(machine),
    text: t.changeOwnerText,
    children: <OwnerField />,
    run: ({ owner = '' }, options) => client.account.access({ username, owner }, options),
    done: ({ owner = '' }) => t.ownerChanged(<NameOf username={owner} />, machine),
  };
};

export const becomeMachine = (account: Account): Action => {
  const { username } = account;
  const name = <bdi>{nameOf(account) || username}</bdi>;
  return {
    label: t.become,
    title: t.becomeAsk(name),
    text: t.becomeText,
    isDangerous: true,
    children: (
      <>
        <OwnerField />
        <Confirm text={username} hint={t.becomeHint} />
      </>
    ),
    run: ({ owner = '' }, options) => client.account.access({ username, kind: 'machine', owner }, options),
    done: ({ owner = '' }) => t.became(name, <NameOf username={owner} />),
  };
};
