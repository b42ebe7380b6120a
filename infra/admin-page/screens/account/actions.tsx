import { CODE_HOURS } from '#lib/account/maxima';
import type { Account } from '#lib/client/index';
import { CHANGES, type Change, Unlocked } from '../../accounts/changes.tsx';
import { becomeMachine, changeOwner, isMachine, Owned } from '../../accounts/machines.tsx';
import { nameOf } from '../../accounts/person.tsx';
import type { Read } from '../../accounts/read.ts';
import type { Action } from '../../act.tsx';
import { Field } from '../../form.tsx';
import { Invitation } from '../../invitation.tsx';
import { Confirm, Hours, Names } from '../../parts.tsx';
import { go, hrefTo } from '../../place.ts';
import { client } from '../../session.ts';
import { Time } from '../../time.tsx';

/** A change as an action on one account. */
const actionOf = (change: Change, item: Account, own: string): Action => {
  const { label, will, effect = '', needless, run, undo, isDangerous, isForOthers, fields } = change;
  return {
    label,
    text: `The account ${will}. ${effect}`,
    isDue: !needless(item, [], '') && !(isForOthers && item.username === own),
    isDangerous,
    children: fields,
    run: (values, options) => run(item.username, values, options),
    undo: (values) => undo?.(item, values),
  };
};

/** The choice in a form whether all passkeys of the account end. */
const endOf = (passkeys: string | undefined) => (passkeys === 'end' ? { end_passkeys: true } : {});

interface Actions {
  /** The dangerous one last. */
  readonly shown: readonly Action[];
  /** Those that cannot be undone at once. */
  readonly apart: readonly Action[];
}

/** The actions on an account. */
export function actionsOn({ item, apps }: Read, own: string): Actions {
  const { username, isactive } = item;
  const isProgram = isMachine(item);
  const noun = isProgram ? 'machine' : 'person';
  const createCode: Action = {
    label: 'Create one-time code',
    text: 'With it, its owner sets a new password and logs in. A new code replaces an earlier one.',
    isDue: isactive && !isProgram,
    children: (
      <>
        <Hours defaultValue={`${CODE_HOURS}`} required />
        <Field
          label="Its passkeys"
          name="passkeys"
          options={{ keep: 'stay', end: 'all end when the code is used' }}
          hint="End them if someone else may have created one. Its owner then creates new ones."
        />
      </>
    ),
    run: async ({ hours, passkeys }, options) => {
      const terms = { hours: Number(hours), ...endOf(passkeys) };
      const { code, expires_at } = await client.account.code({ username, ...terms }, options);
      return <Invitation username={username} name={nameOf(item) || username} code={code} ends={expires_at} />;
    },
    done: ({ hours, passkeys }) => (
      <>
        The code of <bdi>{username}</bdi> works once, within {hours === '1' ? 'an hour' : `${hours} hours`}.
        {passkeys === 'end' && ' Its use ends all passkeys of the account.'}
      </>
    ),
  };
  const reactivate: Action = {
    label: 'Reactivate',
    text: isProgram
      ? 'It can sign in again by its trusts. Its sessions stay ended.'
      : 'Its owner can log in again. Sessions and one-time codes stay ended.',
    isDue: !isactive,
    children: (
      <>
        <Field
          label="Its API tokens"
          name="tokens"
          required
          options={{ '': 'Choose…', revoke: 'are deleted', keep: 'work again' }}
        />
        {!isProgram && (
          <Field label="Its passkeys" name="passkeys" options={{ keep: 'work again', end: 'all end' }} />
        )}
      </>
    ),
    run: ({ tokens, passkeys }, options) => {
      const terms = { revoke_tokens: tokens === 'revoke', ...endOf(passkeys) };
      return client.account.reactivate({ username, ...terms }, options);
    },
    done: () => (
      <>
        <bdi>{username}</bdi> is reactivated and can{' '}
        {isProgram ? 'sign in again.' : 'log in again. Without a password, create a one-time code.'}
      </>
    ),
  };
  const { LOCK, UNLOCK, CANCEL } = CHANGES;
  const applications = ['Its applications: ', <Names key="apps" of={apps} />];
  const unlock: Action = {
    ...actionOf(UNLOCK, item, own),
    done: () => <Unlocked {...item} />,
  };
  const lock: Action = {
    ...actionOf(LOCK, item, own),
    ...(item.islocked && { label: 'Change lock', text: 'The lock gets this reason and end.' }),
    done: () => (
      <>
        <bdi>{username}</bdi> is locked: no login and no token works. All sessions and an open one-time code
        have ended.
      </>
    ),
  };
  const cancel: Action = {
    ...actionOf(CANCEL, item, own),
    children: (
      <>
        {!isProgram && (
          <p>
            <Owned username={username} /> work on, and need another owner.
          </p>
        )}
        <Confirm text={username} hint={applications} />
      </>
    ),
    done: () => (
      <>
        <bdi>{username}</bdi> is cancelled: nobody can log in, and an open one-time code has ended.
        “Reactivate” takes it back until applications delete the data.
      </>
    ),
  };
  const isEarly = Date.parse(item.erasable_from ?? '') > Date.now();
  const erase: Action = {
    label: 'Erase for good',
    text: `Everything about the ${noun} is deleted: profile, access, ${isProgram ? 'trusts' : 'passkeys'} and API tokens. Activity calls the ${noun} erased. Applications are told to delete what they have. Nobody can take it back, and nobody gets the username again.`,
    isDue: !isactive && username !== own,
    isDangerous: true,
    children: (
      <>
        {isEarly && (
          <p>
            It can be erased from <Time of={item.erasable_from} /> on. Until then, “Reactivate” takes a
            cancellation back that nobody wanted.
          </p>
        )}
        <Confirm
          text={username}
          hint={isProgram ? undefined : 'Download the data first if the person may ask for it.'}
        />
      </>
    ),
    run: async (_, options) => {
      const { complete } = await client.account.erase({ username }, options);
      go(hrefTo(isProgram ? 'machines' : 'accounts'));
      return (
        <>
          {!complete && <p>Within a day, Activity does not name the {noun} any more.</p>}
          <p>
            The audit log and backups stay for as long as their rules say. A mark that nobody can read stays
            always, and keeps the username from others.
          </p>
        </>
      );
    },
    done: () => (
      <>
        <bdi>{username}</bdi> is erased, and applications were told to delete what they have.
      </>
    ),
  };
  const machine: Action = { ...becomeMachine(item), isDue: isactive && username !== own };
  return {
    shown: [unlock, reactivate, isProgram ? changeOwner(item) : createCode, lock],
    apart: [...(isProgram ? [] : [machine]), cancel, erase],
  };
}
