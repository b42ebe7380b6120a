import { CODE_HOURS } from '#lib/account/maxima';
import type { Account } from '#lib/client/index';
import { account as t } from '#texts/account';
import { CHANGES, type Change, Unlocked } from '../../accounts/changes.tsx';
import { showErasureProof } from '../../accounts/erasure-proof.tsx';
import { becomeMachine, changeOwner, isMachine, Owned } from '../../accounts/machines.tsx';
import { nameOf } from '../../accounts/person.tsx';
import type { Read } from '../../accounts/read.ts';
import { Called } from '../../accounts/who.tsx';
import type { Action } from '../../act.tsx';
import { dropDraftsOf } from '../../drafts.ts';
import { Field } from '../../form.tsx';
import { Invitation } from '../../invitation.tsx';
import { Confirm, Disclosure, Hours, Names } from '../../parts.tsx';
import { go, hrefTo } from '../../place.ts';
import { client } from '../../session.ts';
import { When } from '../../time.tsx';

/** A change as an action on one account. */
const actionOf = (change: Change, item: Account, own: string): Action => {
  const { label, ask, effect = '', needless, run, undo, isDangerous, isForOthers, fields } = change;
  return {
    label,
    title: ask(<Called {...item} />),
    text: effect,
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
  /** Creates a one-time code. */
  readonly newCode: Action;
}

/** Creates a one-time code for a person. */
function codeFor(item: Account): Action {
  const { username } = item;
  const name = <Called {...item} />;
  return {
    label: t.createCode,
    title: t.createCodeAsk(name),
    heading: t.codeFor(name),
    text: t.createCodeText,
    isDue: item.isactive && !isMachine(item),
    children: (
      <>
        <Hours defaultValue={`${CODE_HOURS}`} required />
        <Field
          label={t.passkeys}
          name="passkeys"
          options={{ keep: t.passkeysKeep, end: t.passkeysEnd }}
          hint={t.passkeysHint}
        />
      </>
    ),
    run: async ({ hours, passkeys }, options) => {
      const terms = { hours: Number(hours), ...endOf(passkeys) };
      const { code, expires_at } = await client.account.code({ username, ...terms }, options);
      return <Invitation username={username} name={nameOf(item) || username} code={code} ends={expires_at} />;
    },
    done: ({ hours, passkeys }) => t.codeDone(name, Number(hours), passkeys === 'end'),
  };
}

/** Takes a cancellation back. */
function reactivation(item: Account): Action {
  const { username, isactive } = item;
  const isProgram = isMachine(item);
  const name = <Called {...item} />;
  return {
    label: t.reactivate,
    title: t.reactivateAsk(name),
    text: isProgram ? t.reactivateMachine : t.reactivatePerson,
    isDue: !isactive,
    children: (
      <>
        <Field
          label={t.itsTokens}
          name="tokens"
          required
          options={{ '': t.choose, revoke: t.tokensRevoke, keep: t.tokensKeep }}
        />
        {!isProgram && (
          <Field
            label={t.passkeys}
            name="passkeys"
            options={{ keep: t.passkeysWork, end: t.passkeysAllEnd }}
          />
        )}
      </>
    ),
    run: ({ tokens, passkeys }, options) => {
      const terms = { revoke_tokens: tokens === 'revoke', ...endOf(passkeys) };
      return client.account.reactivate({ username, ...terms }, options);
    },
    done: () => (isProgram ? t.reactivatedMachine : t.reactivatedPerson)(name),
  };
}

/** Erases an account, and shows the proof. Nothing of the page keeps its name. */
function erasure(item: Account, own: string): Action {
  const { id, username, isactive, erasable_from } = item;
  const isProgram = isMachine(item);
  const isEarly = Date.parse(erasable_from ?? '') > Date.now();
  return {
    label: t.erase,
    title: t.eraseAsk(<Called {...item} />),
    text: isProgram ? t.eraseMachine : t.erasePerson,
    isDue: !isactive && username !== own,
    isDangerous: true,
    children: (
      <>
        {isEarly && erasable_from && <p>{t.eraseEarly(<When of={erasable_from} />)}</p>}
        <Confirm text={username} hint={isProgram ? undefined : t.eraseHint} />
        <Disclosure title={t.details}>
          <p class="faint">{t.eraseId(<span class="id">{id}</span>)}</p>
        </Disclosure>
      </>
    ),
    run: async (_, options) => {
      let requestId = '';
      const onHeaders = (headers: Headers) => {
        requestId = headers.get('x-request-id') ?? '';
        options.onHeaders?.(headers);
      };
      const erased = await client.account.erase({ username }, { ...options, onHeaders });
      dropDraftsOf(username);
      go(hrefTo(isProgram ? 'machines' : 'accounts'), true);
      showErasureProof({ erased, requestId, name: username });
    },
    done: () => t.eraseDone,
  };
}

/** The actions on an account. */
export function actionsOn({ item, apps }: Read, own: string): Actions {
  const { username, isactive } = item;
  const isProgram = isMachine(item);
  const name = <Called {...item} />;
  const newCode = codeFor(item);
  const { LOCK, UNLOCK, CANCEL } = CHANGES;
  const applications = [t.cancelApps, <Names key="apps" of={apps} />];
  const unlock: Action = {
    ...actionOf(UNLOCK, item, own),
    done: () => <Unlocked {...item} />,
  };
  const lock: Action = {
    ...actionOf(LOCK, item, own),
    ...(item.islocked && { label: t.changeLock, title: t.changeLockAsk(name), text: t.changeLockText }),
    done: () => t.locked(name),
  };
  const cancel: Action = {
    ...actionOf(CANCEL, item, own),
    children: (
      <>
        {!isProgram && <p>{t.needOwners(<Owned username={username} />)}</p>}
        <Confirm text={username} hint={applications} />
      </>
    ),
    done: () => t.cancelDone(name),
  };
  const machine: Action = { ...becomeMachine(item), isDue: isactive && username !== own };
  return {
    shown: [unlock, reactivation(item), isProgram ? changeOwner(item) : newCode, lock],
    apart: [...(isProgram ? [] : [machine]), cancel, erasure(item, own)],
    newCode,
  };
}
