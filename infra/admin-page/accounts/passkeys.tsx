import type { ComponentChildren } from 'preact';
import type { Client, RequestOptions } from '#lib/client/index';
import { listing } from '#lib/client/listing';
import { MAX_PASSKEYS } from '#lib/passkey/maxima';
import { hasName, isStorable, MAX_NAME, NAME, typedName } from '#lib/passkey/name';
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
import { programOf } from './sessions.tsx';

/** A passkey of an account. */
export type Passkey = Awaited<ReturnType<Client['account']['passkeys']>>['items'][number];

const Name = (passkey: Passkey) => (
  <>
    <bdi>{passkey.name}</bdi>
    {!passkey.usable && (
      <span class="faint">
        {' '}
        works at <bdi>{passkey.rp_id}</bdi> only, not here
      </span>
    )}
    <Fallen {...passkey} />
  </>
);

/** Why a passkey is refused, which its login does not tell, and what to do. */
export const Fallen = ({ counter_fell_at: since }: Passkey) =>
  since ? (
    <div class="bad">
      Refused since <When of={since} />: its counter fell back. The device was reset, or somebody has a copy
      of it. Remove the passkey, and create it again.
    </div>
  ) : null;

/** Where a passkey is: it matters when a device is lost. */
const placeOf = ({ backup_eligible, backed_up }: Passkey) =>
  backed_up ? 'Yes, on several devices' : backup_eligible ? 'Not yet' : 'No, on one device';

const COLUMNS: Column<Passkey>[] = [
  { label: 'Passkey', cell: Name },
  ...show<Passkey>({ Created: 'created_at', 'Last used': 'used_at' }),
  { label: 'Synced', cell: placeOf },
];

/** A name that no other one has, by the browser and its system: `Chrome on macOS`. */
function newNameIn(names: readonly string[]) {
  const program = programOf(navigator.userAgent);
  const name = NAME.test(program) ? program : 'This device';
  const all = [name, ...Array.from({ length: MAX_PASSKEYS }, (_, index) => `${name} ${index + 2}`)];
  return all.find((each) => !hasName(names, each));
}

const create = (
  username: string,
  items: readonly Passkey[],
  names = items.map(({ name }) => name),
): Action => ({
  label: 'Create passkey',
  isMain: true,
  text: 'Your browser asks where to keep it: on this device, on a phone or on a security key.',
  isDue: items.filter(({ usable }) => usable).length < MAX_PASSKEYS && hasPasskeys() && !addressWithName(),
  children: (
    <Field
      label="Name"
      name="passkey_name"
      required
      defaultValue={newNameIn(names)}
      pattern={NAME.source}
      title={`At most ${MAX_NAME} characters, without / and \\`}
      spellcheck={false}
      autocomplete="off"
      hint="By which you will know its device, such as “Anna’s iPhone”."
    />
  ),
  run: async ({ passkey_name = '' }, options) => {
    const name = typedName(passkey_name);
    // Comes first: a device would keep a passkey that the account refuses.
    if (hasName(names, name)) throw new PasskeyFailure('You have a passkey with this name. Choose another.');
    if (!isStorable(name)) throw new PasskeyFailure('A passkey cannot have this name. Choose another.');
    const { created_at } = await createPasskey(client, name, options);
    knowPasskeys(username, created_at);
  },
  done: ({ passkey_name }) => (
    <>
      The passkey <bdi>{passkey_name}</bdi> is created. Next time, log in with it instead of your password.
    </>
  ),
});

/** Why nothing can be created here. */
const Obstacle = () =>
  addressWithName() ? (
    <p class="card">
      Passkeys work at a name, not at the address {location.hostname}. Use{' '}
      <AtName>this page at localhost</AtName>.
    </p>
  ) : hasPasskeys() ? null : (
    <p class="card">This browser has no passkeys. Use a current one to create one.</p>
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
  const remove = ({ name: passkey_name, rp_id, credential_id }: Passkey): Action => ({
    label: 'Remove passkey',
    on: isOwn ? passkey_name : `${passkey_name} of ${username}`,
    text: isOwn
      ? 'It logs nobody in any more, and the sessions that it opened end, maybe this one, too. Other sessions stay.'
      : 'It logs nobody in any more, and the sessions that it opened end. Is the device lost? End its other sessions in Sessions, too. The person logs in with the password or a one-time code, and creates another passkey.',
    isDangerous: true,
    run: async (_, options) => {
      await client.account.passkeyDelete({ username, passkey_name }, options);
      // At once: the removal may end this session, and its login should not offer the passkey.
      if (credential_id) forgetPasskey(rp_id, credential_id);
    },
    done: () => (
      <>
        The passkey <bdi>{passkey_name}</bdi>
        {!isOwn && [' of ', <bdi key="owner">{username}</bdi>]} is removed, and its sessions have ended.
        {isOwn && ' Its device may still show it: delete it there, too.'}
      </>
    ),
  });
  return (
    <Section
      title="Passkeys"
      after={list.reload}
      actions={isOwn && list.data ? [create(username, list.data.items)] : []}
    >
      {children}
      {isOwn && <Obstacle />}
      <Listing
        list={list}
        caption="Passkeys"
        columns={COLUMNS}
        keyOf={({ name }) => name}
        empty={
          isOwn
            ? 'No passkey yet. Create one for each of your devices.'
            : 'No passkey. Only its owner can create one.'
        }
        actionsOn={(passkey) => [remove(passkey)]}
      />
    </Section>
  );
}
