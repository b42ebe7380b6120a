import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Account, RequestOptions } from '../../../client/index.ts';
import { inParallel } from '../../../in-parallel.ts';
import { Act } from '../act.tsx';
import { Field, type Fields } from '../form.tsx';
import { Pending } from '../listing.tsx';
import { useOwnName } from '../me.ts';
import { Failed } from '../notice.tsx';
import { Confirm, count, Lines, useWork } from '../parts.tsx';
import { useQuery } from '../query.ts';
import { AT_ONCE, client } from '../session.ts';
import { CHANGES, type Change } from './changes.tsx';

interface Result {
  readonly account: Account;
  readonly isChanged?: boolean;
  /** Why it failed. */
  readonly error?: unknown;
}

/** The roles of accounts by their IDs, which the directory only counts. */
const rolesOf = async (accounts: readonly Account[], signal: AbortSignal) =>
  new Map(
    await inParallel(
      accounts,
      async ({ id, username }) => {
        const { roles = [] } = await client.account.profile({ username, pscope: ['roles'] }, { signal });
        return [id, roles] as const;
      },
      AT_ONCE,
    ),
  );

const line = ({ id, username }: Account, text: ComponentChildren) => (
  <li key={id}>
    <bdi>{username}</bdi> {text}
  </li>
);

function Preview({ change, chosen }: { change: Change; chosen: readonly Account[] }) {
  const { will, needless, isForOthers, isOfRole, fields } = change;
  const own = useOwnName();
  const [role, setRole] = useState('');
  const held = useQuery(async (signal) => rolesOf(isOfRole ? chosen : [], signal), []);
  const isRead = held.data !== undefined && (!isOfRole || role !== '');
  const reasonOf = (account: Account) =>
    isForOthers && account.username === own
      ? 'is your own: it is refused'
      : needless(account, held.data?.get(account.id) ?? [], role);
  const due = chosen.filter((account) => !reasonOf(account));
  const textOf = (account: Account) => {
    const reason = reasonOf(account);
    return reason ? <span class="faint">{reason}</span> : will;
  };
  return (
    <>
      {fields}
      {isOfRole && (
        <Field label="Role" name="role" required onInput={(event) => setRole(event.currentTarget.value)} />
      )}
      <Pending {...held} />
      {isRead && (
        <Lines label="What will change">{chosen.map((account) => line(account, textOf(account)))}</Lines>
      )}
      {change === CHANGES.CANCEL && (
        <Confirm
          text={`${due.length}`}
          hint={`${due.length} of ${count(chosen)} will be cancelled.${due.length < chosen.length ? ' The others stay as they are.' : ''}`}
        />
      )}
    </>
  );
}

function Report({ results }: { results: readonly Result[] }) {
  const failed = results.filter(({ error }) => error);
  const changed = results.filter(({ isChanged }) => isChanged);
  const same = results.length - failed.length - changed.length;
  const textOf = ({ error, isChanged }: Result) =>
    error ? <Failed error={error} /> : isChanged ? 'changed' : 'not changed';
  return (
    <>
      <p>
        {count(changed)} changed, {same} not changed, {failed.length} failed.
      </p>
      {failed.length > 0 && <p>Those that failed are still selected.</p>}
      <Lines label="What was done">{results.map((result) => line(result.account, textOf(result)))}</Lines>
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
  const [onEach, progress] = useWork();
  const perform = async ({ run }: Change, fields: Fields, { signal }: RequestOptions) => {
    const results = await onEach(chosen, async (account): Promise<Result> => {
      if (signal?.aborted) return { account, error: 'Not sent: you stopped before.' };
      return run(account.username, fields, { signal }).then(
        ({ changed }) => ({ account, isChanged: changed }),
        (error) => ({ account, error }),
      );
    });
    setChosen(results.flatMap(({ account, error }) => (error ? [account] : [])));
    return <Report results={results} />;
  };
  return (
    <section class="bulk row card" aria-label="Selected accounts">
      <strong role="status">
        {count(chosen)} selected{chosen.length >= most && ', the most at once'}
      </strong>
      <button type="button" class="quiet" onClick={() => setChosen([])}>
        Clear
      </button>
      {Object.values(CHANGES).map((change) => (
        <Act
          key={change.label}
          label={change.label}
          on={count(chosen)}
          isDangerous={change.isDangerous}
          run={(fields, options) => perform(change, fields, options)}
          after={after}
        >
          <Preview change={change} chosen={chosen} />
          {progress}
        </Act>
      ))}
    </section>
  );
}
