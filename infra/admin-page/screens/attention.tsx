import { useState } from 'preact/hooks';
import { inParallel } from '#lib/async/in-parallel';
import type { Account, RequestOptions, Token } from '#lib/client/index';
import { listing } from '#lib/client/listing';
import { foldCase } from '#lib/text/fold-case';
import { CONCERNS, concernsOf, isUnused, UNUSED_DAYS } from '../accounts/concerns.ts';
import { changeOwner, Owner } from '../accounts/machines.tsx';
import { Fallen, type Passkey } from '../accounts/passkeys.tsx';
import { Chips } from '../accounts/person.tsx';
import { deletion, rotation, TOKENS } from '../accounts/tokens.tsx';
import { LastActive, nameFor, Username, Who } from '../accounts/who.tsx';
import { Choices } from '../filters.tsx';
import { Listing, ListPart, Pending } from '../listing.tsx';
import { Section } from '../parts.tsx';
import { usePlace } from '../place.ts';
import { type Query, useList, useQuery } from '../query.ts';
import { ADMINISTRATOR, AT_ONCE, client } from '../session.ts';
import { Time } from '../time.tsx';
import { PageTitle } from '../title.tsx';

interface Concerned extends Token {
  /** Names of the reasons. */
  readonly concerns: readonly string[];
}

/** The tokens of all accounts that need attention, from one pass through all tokens. */
async function readTokens(
  administrators: readonly Account[],
  signal: AbortSignal,
  onRead: (tokens: number) => void,
) {
  const names = administrators.map(({ username }) => foldCase(username));
  const present = { now: Date.now(), administrators: new Set(names) };
  const found: Concerned[] = [];
  let read = 0;
  for await (const { items } of client.token.browse({}, { signal }).pages()) {
    for (const token of items) {
      const concerns = concernsOf(token, present);
      if (concerns.length > 0) found.push({ ...token, concerns });
    }
    read += items.length;
    onRead(read);
  }
  return found;
}

async function readAdministrators(signal: AbortSignal) {
  const found: Account[] = [];
  for await (const account of client.account.browse({ role: ADMINISTRATOR }, { signal })) found.push(account);
  return found;
}

const LABELS = Object.fromEntries(Object.entries(CONCERNS).map(([name, { label }]) => [name, label]));

const COLUMNS = [
  { label: 'Owner', cell: Username },
  ...TOKENS,
  {
    label: 'Why',
    cell: ({ concerns, token_created_by }: Concerned) => (
      <Chips
        of={concerns.map((name) =>
          name === 'maker' ? `Made by ${nameFor(token_created_by)}, no administrator` : `${LABELS[name]}`,
        )}
      />
    ),
  },
];

/** The found tokens, by their reasons. */
function Tokens({
  of,
  reload,
  isLoading,
}: { of: readonly Concerned[] } & Pick<Query<unknown>, 'reload' | 'isLoading'>) {
  const concern = usePlace().state['concern'] ?? '';
  const having = (name: string) => of.filter(({ concerns }) => !name || concerns.includes(name));
  const shown = having(concern);
  const list = useList(
    ({ limit, cursor: from = '0' }) =>
      listing(async (cursor = from) => {
        const next = Number(cursor) + limit;
        return {
          items: shown.slice(Number(cursor), next),
          next_cursor: next < shown.length ? `${next}` : undefined,
        };
      }),
    { inputs: [of, concern] },
  );
  const counts = Object.fromEntries(['', ...Object.keys(LABELS)].map((name) => [name, having(name).length]));
  return (
    <>
      <Choices label="Reasons" name="concern" of={{ '': 'All', ...LABELS }} counts={counts} />
      {CONCERNS[concern] && <p class="faint">{CONCERNS[concern].next}</p>}
      <Listing
        list={{ ...list, reload, isLoading }}
        caption="API tokens"
        columns={COLUMNS}
        keyOf={({ username, name }) => `${username} ${name}`}
        total={shown.length}
        empty={concern ? 'No token for this reason.' : 'No API token needs attention.'}
        actionsOn={(token) => [rotation(token), deletion(token)]}
        file={{ name: 'tokens' }}
      />
    </>
  );
}

/** The most administrators whose passkeys are read. */
const MAX_READ = 100;

interface Holder extends Account {
  readonly passkeys: readonly Passkey[];
}

const withPasskeys = async (account: Account, options: RequestOptions): Promise<Holder> => ({
  ...account,
  passkeys: (await client.account.passkeys({ username: account.username }, options)).items,
});

/** Those of an administrator's passkeys that nobody uses. */
const unusedOf = ({ passkeys }: Holder) =>
  passkeys.filter(({ used_at, created_at }) => isUnused(used_at ?? created_at, Date.now()));

const ofPasskeys = (holder: Holder) =>
  holder.passkeys.length === 0 ? (
    <span class="badge bad">No passkey</span>
  ) : (
    unusedOf(holder).map(({ name, used_at }) => (
      <div key={name}>
        <bdi>{name}</bdi>: {used_at ? ['last used ', <Time key="used" of={used_at} />] : 'never used'}
      </div>
    ))
  );

const ofFallen = ({ passkeys }: Holder) =>
  passkeys
    .filter(({ counter_fell_at }) => counter_fell_at)
    .map((passkey) => (
      <div key={passkey.name}>
        <bdi>{passkey.name}</bdi>
        <Fallen {...passkey} />
      </div>
    ));

/** Passkeys of all accounts that are refused although their owners use them. */
const FallenPasskeys = () => (
  <ListPart
    read={(page, options) =>
      listing(async (cursor = page.cursor) => {
        const asked = { ...page, cursor, counter_fell: true };
        const { value } = await client.account.browse(asked, options).pages().next();
        const { items = [], next_cursor } = value ?? {};
        return {
          items: await inParallel(items, (each) => withPasskeys(each, options), AT_ONCE),
          next_cursor,
        };
      })
    }
    at="fallen"
    title="Refused passkeys"
    caption="Accounts"
    keyOf={({ id }) => id}
    columns={[
      { label: 'Person', cell: Who },
      { label: 'Passkeys', cell: ofFallen },
    ]}
    empty="No passkey was refused because of its counter."
  />
);

/** Administrators without a passkey, and the passkeys that they do not use. */
const Passkeys = ({ administrators }: { administrators: readonly Account[] }) => (
  <ListPart
    read={(_, options) =>
      listing(async () => {
        const active = administrators.filter(({ isactive }) => isactive).slice(0, MAX_READ);
        const holders = await inParallel(active, (each) => withPasskeys(each, options), AT_ONCE);
        return {
          items: holders.filter((holder) => holder.passkeys.length === 0 || unusedOf(holder).length > 0),
        };
      })
    }
    at="passkeys"
    title="Passkeys of administrators"
    caption="Administrators"
    keyOf={({ id }) => id}
    columns={[
      { label: 'Person', cell: Who },
      { label: 'Passkeys', cell: ofPasskeys },
    ]}
    empty="Every administrator has a passkey and uses it."
  />
);

/** Machines for which nobody answers any more. */
const Ownerless = () => (
  <ListPart
    read={(page, options) => client.account.browse({ ...page, kind: 'machine', owner_gone: true }, options)}
    at="machines"
    title="Machines without an owner"
    caption="Machines"
    keyOf={({ id }) => id}
    columns={[
      { label: 'Machine', cell: Who },
      { label: 'Former owner', cell: Owner },
      { label: 'Last active', cell: LastActive },
    ]}
    actionsOn={(machine) => [changeOwner(machine)]}
    empty="Every machine has an owner who is active."
  />
);

/** API tokens and passkeys that nobody uses, that do not end, or that somebody may misuse. */
export function Attention() {
  const [read, setRead] = useState(0);
  const administrators = useQuery(readAdministrators, []);
  const { data: known } = administrators;
  const tokens = useQuery(
    async (signal) => known && { of: await readTokens(known, signal, setRead) },
    [known],
  );
  return (
    <>
      <PageTitle
        title="Needs attention"
        note="Ways into accounts that nobody uses or answers for, or that stay open too long."
      />
      <FallenPasskeys />
      <Pending {...administrators} />
      {known && (
        <>
          <Passkeys administrators={known} />
          <p class="faint">
            Passkeys that were not used for {UNUSED_DAYS} days, and administrators without one. A passkey has
            no end: ask whether its device is still there; if not, open the person and remove it in Access.
            Only its owner can create one.
          </p>
        </>
      )}
      <Ownerless />
      <Section title="API tokens">
        <Pending {...tokens} />
        {tokens.data ? (
          <Tokens {...tokens} of={tokens.data.of} />
        ) : (
          read > 0 && <p role="status">{read.toLocaleString('en')} tokens read…</p>
        )}
      </Section>
    </>
  );
}
