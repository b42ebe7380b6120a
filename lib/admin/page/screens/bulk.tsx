import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Account, CoreAccountError, type RequestOptions } from '../../../client/index.ts';
import { Act } from '../act.tsx';
import { Field, type Fields } from '../form.tsx';
import { Pending } from '../listing.tsx';
import { Failed } from '../notice.tsx';
import { useQuery } from '../query.ts';
import { useOwnName } from '../screen.ts';
import { client } from '../session.ts';

/** Requests in flight. */
const AT_ONCE = 4;

/** Runs a request for each item, some at once; the results are in the order of the items. */
export async function forEach<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const rest = items.entries();
  const work = async () => {
    for (const [index, item] of rest) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}

type Result = { readonly account: Account } & ({ readonly isChanged: boolean } | { readonly error: unknown });

interface Action {
  readonly label: string;
  /** What happens to an account. */
  readonly will: string;
  /** Why nothing happens to an account; false if something does. */
  readonly needless: (account: Account, held: readonly string[], role: string) => string | false;
  readonly run: (
    username: string,
    fields: Fields,
    options: RequestOptions,
  ) => Promise<{ readonly changed: boolean }>;
  readonly isDangerous?: boolean;
  /** Whether the service refuses it for one's own account. */
  readonly isForOthers?: boolean;
  /** Whether it is about a role. */
  readonly isOfRole?: boolean;
  readonly fields?: ComponentChildren;
}

/** The fields of a lock; empty ones are not sent. */
export const LockFields = () => (
  <>
    <Field label="Reason" name="reason" maxLength={200} hint="Administrators see it; optional." />
    <Field
      label="Until"
      name="until"
      type="datetime-local"
      hint="Without a time, until somebody unlocks it."
    />
  </>
);

export const lockTerms = ({ reason, until }: Fields) => ({
  ...(reason && { reason }),
  ...(until && { until: new Date(until).toISOString() }),
});

const ACTIONS: readonly Action[] = [
  {
    label: 'Lock',
    will: 'is locked, and its sessions end',
    needless: ({ islocked }) => islocked && 'is locked already; another reason or end replaces the old one',
    run: (username, fields, options) => client.account.lock({ username, ...lockTerms(fields) }, options),
    isDangerous: true,
    isForOthers: true,
    fields: <LockFields />,
  },
  {
    label: 'Unlock',
    will: 'is unlocked',
    needless: ({ islocked }) => !islocked && 'is not locked',
    run: (username, _fields, options) => client.account.unlock({ username }, options),
  },
  {
    label: 'Cancel',
    will: 'is cancelled, and programs may delete its data',
    needless: ({ isactive }) => !isactive && 'is cancelled already',
    run: (username, _fields, options) => client.account.cancel({ username }, options),
    isDangerous: true,
    isForOthers: true,
  },
  {
    label: 'Add a role',
    will: 'gets the role',
    needless: (_account, held, role) => held.includes(role) && 'has it already',
    run: async (username, { role = '' }, options) => {
      const { roles_added } = await client.account.access({ username, add: { roles: [role] } }, options);
      return { changed: roles_added.length > 0 };
    },
    isOfRole: true,
  },
  {
    label: 'Remove a role',
    will: 'loses the role',
    needless: (_account, held, role) => !held.includes(role) && 'does not have it',
    run: async (username, { role = '' }, options) => {
      const { roles_removed } = await client.account.access({ username, remove: { roles: [role] } }, options);
      return { changed: roles_removed.length > 0 };
    },
    isOfRole: true,
  },
];

/** The roles of accounts by their IDs, which the directory only counts. */
const rolesOf = async (accounts: readonly Account[], signal: AbortSignal) =>
  new Map(
    await forEach(accounts, async ({ id, username }) => {
      const { roles = [] } = await client.account.profile({ username, pscope: ['roles'] }, { signal });
      return [id, roles] as const;
    }),
  );

const count = (items: readonly unknown[]) => `${items.length} ${items.length === 1 ? 'account' : 'accounts'}`;

interface LinesProps {
  readonly label: string;
  readonly accounts: readonly Account[];
  readonly textOf: (account: Account, index: number) => ComponentChildren;
}

/** A line for each account, in a list that scrolls by keyboard. */
const Lines = ({ label, accounts, textOf }: LinesProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise only a mouse scrolls it
  <ul class="report card" tabIndex={0} aria-label={label}>
    {accounts.map((account, index) => (
      <li key={account.id}>
        <bdi>{account.username}</bdi> {textOf(account, index)}
      </li>
    ))}
  </ul>
);

function Preview({ action, chosen }: { action: Action; chosen: readonly Account[] }) {
  const { will, needless, isForOthers, isOfRole, fields } = action;
  const own = useOwnName();
  const [role, setRole] = useState('');
  const held = useQuery(async (signal) => rolesOf(isOfRole ? chosen : [], signal), []);
  const isRead = held.data !== undefined && (!isOfRole || role !== '');
  const reasonOf = (account: Account) =>
    isForOthers && account.username === own
      ? 'is your own: it is refused'
      : needless(account, held.data?.get(account.id) ?? [], role);
  return (
    <>
      {fields}
      {isOfRole && (
        <Field label="Role" name="role" required onInput={(event) => setRole(event.currentTarget.value)} />
      )}
      <Pending {...held} />
      {isRead && (
        <Lines
          label="What will change"
          accounts={chosen}
          textOf={(account) => {
            const reason = reasonOf(account);
            return reason ? <span class="faint">{reason}</span> : will;
          }}
        />
      )}
    </>
  );
}

function Report({ results }: { results: readonly Result[] }) {
  const refused = results.filter((result) => 'error' in result);
  const changed = results.filter((result) => 'isChanged' in result && result.isChanged);
  const same = results.filter((result) => 'isChanged' in result && !result.isChanged);
  return (
    <>
      <p>
        {count(changed)} changed, {same.length} not changed, {refused.length} refused.
      </p>
      {refused.length > 0 && <p>Those that were refused are still selected.</p>}
      <Lines
        label="What was done"
        accounts={results.map(({ account }) => account)}
        textOf={(_account, index) => {
          const result = results[index] as Result;
          if ('error' in result) return <Failed error={result.error} />;
          return result.isChanged ? 'changed' : 'not changed';
        }}
      />
    </>
  );
}

interface BulkProps {
  readonly chosen: readonly Account[];
  readonly most: number;
  readonly setChosen: (chosen: readonly Account[]) => void;
  readonly after: () => void;
}

/** Actions on the chosen accounts: each says what it will change, and reports what it did. */
export function Bulk({ chosen, most, setChosen, after }: BulkProps) {
  const [done, setDone] = useState<number>();
  const [refused, setRefused] = useState<readonly Account[]>();
  const perform = async ({ run }: Action, fields: Fields, { signal }: RequestOptions) => {
    setDone(0);
    const results = await forEach(chosen, async (account): Promise<Result> => {
      try {
        return { account, isChanged: (await run(account.username, fields, { signal })).changed };
      } catch (error) {
        if (!(error instanceof CoreAccountError)) throw error;
        return { account, error };
      } finally {
        setDone((last = 0) => last + 1);
      }
    });
    setDone(undefined);
    setRefused(results.flatMap((result) => ('error' in result ? [result.account] : [])));
    return <Report results={results} />;
  };
  return (
    <section class="bulk row card" aria-label="Selected accounts">
      <strong role="status">
        {count(chosen)} selected{chosen.length >= most && ', the most at once'}
      </strong>
      {ACTIONS.map((action) => (
        <Act
          key={action.label}
          label={action.label}
          title={`${action.label}: ${count(chosen)}`}
          isDangerous={action.isDangerous}
          run={(fields, options) => perform(action, fields, options)}
          after={after}
          onClose={() => {
            if (refused) setChosen(refused);
            setRefused(undefined);
          }}
        >
          <Preview action={action} chosen={chosen} />
          {done !== undefined && <progress aria-label="Progress" max={chosen.length} value={done} />}
        </Act>
      ))}
      <button type="button" class="quiet" onClick={() => setChosen([])}>
        Clear
      </button>
    </section>
  );
}
