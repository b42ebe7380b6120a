import type { ComponentChildren } from 'preact';
import type { Client, RequestOptions } from '#lib/client/index';
import { listing } from '#lib/client/listing';
import { MAX_PASSKEYS } from '#lib/passkey/maxima';
import { hasName, isStorable, MAX_NAME, NAME, typedName } from '#lib/passkey/name';
import { own as t } from '#texts/own';
import type { Action } from '../act.tsx';
import { Field } from '../form.tsx';
import { type Column, Listing, show } from '../listing.tsx';
import { knowPasskeys } from '../newest-passkey.tsx';
import { Section } from '../parts.tsx';
import {
  addressWithName,
  createPasskey,
  forgetPasskey,
  hasPasskeys,
  keepPasskeys,
  PasskeyFailure,
} from '../passkey.ts';
import { AtName } from '../passwords.tsx';
import { useList } from '../query.ts';
import { client } from '../session.ts';
import { When } from '../time.tsx';
import { NameOf } from './names.tsx';
import { programOf } from './sessions.tsx';

/** A passkey of an account. */
export type Passkey = Awaited<ReturnType<Client['account']['passkeys']>>['items'][number];

const Name = (passkey: Passkey) => (
  <>
    <bdi>{passkey.name}</bdi>
    {!passkey.usable && <span class="faint">{t.elsewhere(<bdi key="domain">{passkey.rp_id}</bdi>)}</span>}
    <Fallen {...passkey} />
  </>
);

/** Why a passkey is refused, which its login does not tell, and what to do. */
export const Fallen = ({ counter_fell_at: since }: Passkey) =>
  since ? <div class="bad">{t.fallen(<When key="time" of={since} />)}</div> : null;

/** Where a passkey is: it matters when a device is lost. */
const placeOf = ({ backup_eligible, backed_up }: Passkey) =>
  backed_up ? t.onSeveral : backup_eligible ? t.notYet : t.onOne;

const COLUMNS: Column<Passkey>[] = [
  { label: t.passkey, cell: Name },
  ...show<Passkey>({ [t.created]: 'created_at', [t.lastUsed]: 'used_at' }),
  { label: t.synced, cell: placeOf },
];

/** A name that no other one has, by the browser and its system: `Chrome on macOS`. */
function newNameIn(names: readonly string[]) {
  const program = programOf(navigator.userAgent);
  const name = NAME.test(program) ? program : t.thisDevice;
  const all = [name, ...Array.from({ length: MAX_PASSKEYS }, (_, index) => `${name} ${index + 2}`)];
  return all.find((each) => !hasName(names, each));
}

const create = (
  username: string,
  items: readonly Passkey[],
  names = items.map(({ name }) => name),
): Action => ({
  label: t.createPasskey,
  isMain: true,
  text: t.createText,
  isDue: items.filter(({ usable }) => usable).length < MAX_PASSKEYS && hasPasskeys() && !addressWithName(),
  children: (
    <Field
      label={t.name}
      name="passkey_name"
      required
      defaultValue={newNameIn(names)}
      pattern={NAME.source}
      title={t.namePattern(MAX_NAME)}
      spellcheck={false}
      autocomplete="off"
      hint={t.nameHint}
    />
  ),
  run: async ({ passkey_name = '' }, options) => {
    const name = typedName(passkey_name);
    // Comes first: a device would keep a passkey that the account refuses.
    if (hasName(names, name)) throw new PasskeyFailure(t.nameInUse);
    if (!isStorable(name)) throw new PasskeyFailure(t.nameRefused);
    const { created_at } = await createPasskey(client, name, options);
    knowPasskeys(username, created_at);
  },
  done: ({ passkey_name }) => t.passkeyCreated(<bdi key="name">{passkey_name}</bdi>),
});

/** Why nothing can be created here. */
const Obstacle = () =>
  addressWithName() ? (
    <p class="card">{t.atAddress(location.hostname, <AtName key="link">{t.thisPageAtLocalhost}</AtName>)}</p>
  ) : hasPasskeys() ? null : (
    <p class="card">{t.noPasskeysHere}</p>
  );

interface PasskeysProps {
  readonly username: string;
  /** Whether it is the own account: nobody creates a passkey for another person. */
  readonly isOwn?: boolean;
  readonly inputs?: readonly unknown[];
  readonly children?: ComponentChildren;
}

/** The passkeys of an account. */
export function PasskeyList({ username, isOwn, inputs = [], children }: PasskeysProps) {
  const read = async (options: RequestOptions) => {
    const passkeys = await client.account.passkeys({ username }, options);
    keepPasskeys(passkeys);
    return passkeys;
  };
  const list = useList((_, options) => listing(() => read(options)), { inputs, at: 'passkeys' });
  const owner = <NameOf key="owner" username={username} />;
  const remove = ({ name: passkey_name, rp_id, credential_id }: Passkey): Action => ({
    label: t.removePasskey,
    title: isOwn
      ? t.removeOwnAsk(<bdi key="name">{passkey_name}</bdi>)
      : t.removeAsk(<bdi key="name">{passkey_name}</bdi>, owner),
    text: isOwn ? t.removeOwnText : t.removeText,
    isDangerous: true,
    run: async (_, options) => {
      await client.account.passkeyDelete({ username, passkey_name }, options);
      // At once: the removal may end this session, and its login should not offer the passkey.
      if (credential_id) forgetPasskey(rp_id, credential_id);
    },
    done: () =>
      isOwn
        ? t.ownRemoved(<bdi key="name">{passkey_name}</bdi>)
        : t.removed(<bdi key="name">{passkey_name}</bdi>, owner),
  });
  return (
    <Section
      title={t.passkeys}
      after={list.reload}
      actions={isOwn && list.data ? [create(username, list.data.items)] : []}
    >
      {children}
      {isOwn && <Obstacle />}
      <Listing
        list={list}
        caption={t.passkeys}
        columns={COLUMNS}
        keyOf={({ name }) => name}
        empty={isOwn ? t.noOwnPasskeys : t.noPasskeys}
        actionsOn={(passkey) => [remove(passkey)]}
      />
    </Section>
  );
}
