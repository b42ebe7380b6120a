import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { inParallel } from '#lib/async/in-parallel';
import type { Account, RequestOptions } from '#lib/client/index';
import { CHANGES, type Change } from '../../accounts/changes.tsx';
import { type Action, Acts } from '../../act.tsx';
import { Button } from '../../button.tsx';
import { Failed } from '../../failed.tsx';
import type { Fields } from '../../form.tsx';
import { Pending } from '../../listing.tsx';
import { Promotion, RoleField } from '../../memberships.tsx';
import { useLoss } from '../../notice.tsx';
import { Confirm, count, Lines, Tally, useWork } from '../../parts.tsx';
import { useQuery } from '../../query.ts';
import { ADMINISTRATOR, AT_ONCE, client, useOwnName } from '../../session.ts';

/** The most accounts that one action changes. */
const MAX_CHOSEN = 100;

interface Result {
  readonly account: Account;
  readonly outcome: string;
  readonly error?: unknown;
  /** What takes its change back. */
  readonly undo?: ReturnType<NonNullable<Change['undo']>> | undefined;
}

const minus = (some: readonly Account[], others: readonly Account[]) =>
  some.filter(({ id }) => !others.some((each) => each.id === id));

/** The accounts that are chosen on any page of the list: they stay when another screen is visited. */
const choice = signal<readonly Account[]>([]);

const setChosen = (accounts: readonly Account[]) => {
  choice.value = accounts;
};

/** The chosen accounts, as newly loaded where they are on the page, and a column of boxes that choose them. */
export function useChoice(items: readonly Account[]) {
  const chosen = choice.value.map((account) => items.find(({ id }) => id === account.id) ?? account);
  const box = (label: string, some: readonly Account[]) => {
    const free = minus(some, chosen);
    const isFull = chosen.length >= MAX_CHOSEN;
    const choose = (isChosen: boolean) =>
      setChosen(isChosen && !isFull ? [...chosen, ...free].slice(0, MAX_CHOSEN) : minus(chosen, some));
    return (
      <input
        type="checkbox"
        aria-label={label}
        checked={free.length === 0}
        indeterminate={free.length > 0 && free.length < some.length}
        disabled={isFull && free.length === some.length}
        onChange={({ currentTarget }) => choose(currentTarget.checked)}
      />
    );
  };
  const head = box('Select all on this page', items);
  const cell = (item: Account) => box(`Select ${item.username}`, [item]);
  const elsewhere = minus(chosen, items).length;
  return { chosen, elsewhere, boxes: { label: 'Select', head, cell } };
}

const line = ({ id, username }: Account, text: ComponentChildren) => (
  <li key={id}>
    <bdi>{username}</bdi> {text}
  </li>
);

/** Preview of a change on each account. It reads the roles, which the directory only counts. */
function Preview({ change, chosen }: { change: Change; chosen: readonly Account[] }) {
  const { will, needless, isForOthers, isOfRole, fields } = change;
  const own = useOwnName();
  const [role, setRole] = useState('');
  const held = useQuery((signal) => {
    const read = ({ username }: Account) =>
      client.account.profile({ username, pscope: ['roles'] }, { signal });
    return inParallel(isOfRole ? chosen : [], read, AT_ONCE);
  }, []);
  const isRead = held.data !== undefined && (!isOfRole || role !== '');
  const reasons = chosen.map((account, index) =>
    isForOthers && account.username === own
      ? 'is your own: it is refused'
      : needless(account, held.data?.[index]?.roles ?? [], role),
  );
  const due = reasons.filter((reason) => !reason).length;
  const others = due < chosen.length ? ' The others stay as they are.' : '';
  return (
    <>
      {fields}
      {isOfRole && <RoleField value={role} onType={setRole} />}
      {change === CHANGES.ADD_ROLE && role === ADMINISTRATOR && <Promotion of={count(chosen)} />}
      <Pending {...held} />
      {isRead && (
        <Lines label="What will change">
          {chosen.map((account, index) => line(account, reasons[index] || will))}
        </Lines>
      )}
      {change === CHANGES.CANCEL && (
        <Confirm text={`${due}`} hint={`${due} of ${count(chosen)} will be cancelled.${others}`} />
      )}
    </>
  );
}

interface ReportProps extends Pick<Action, 'after'> {
  readonly results: readonly Result[];
}

/** What was done to each account; a button takes back what was changed. */
function Report({ results, after }: ReportProps) {
  const [shown, setShown] = useState(results);
  const [onEach, progress] = useWork();
  const undoable = shown.filter(({ undo }) => undo);
  const undoAll = async () => {
    if (progress) return;
    const undone = await onEach(shown, async (result): Promise<Result> => {
      const { account, undo } = result;
      if (!undo) return result;
      return undo.run({}).then(
        ({ changed }) => ({ account, outcome: changed ? 'changed back' : 'not changed' }),
        (error) => ({ ...result, outcome: 'failed', error }),
      );
    });
    setShown(undone);
    after?.();
  };
  useLoss(progress ? 'Some changes are not yet taken back. That continues when you close this.' : '');
  return (
    <>
      <Tally of={shown} />
      {shown.some(({ error, undo }) => error && !undo) && <p>Those that failed are still selected.</p>}
      <Lines label="What was done">
        {shown.map(({ account, outcome, error }) =>
          line(account, error ? <Failed error={error} /> : outcome),
        )}
      </Lines>
      {progress}
      {undoable.length > 0 && (
        <Button aria-disabled={progress !== undefined} onClick={undoAll}>
          Undo for {count(undoable)}
        </Button>
      )}
    </>
  );
}

/** Actions on the chosen accounts, each with a preview and a report of its changes. */
export function Bulk({
  chosen,
  elsewhere,
  after,
}: Omit<ReturnType<typeof useChoice>, 'boxes'> & Pick<Action, 'after'>) {
  const [onEach, progress] = useWork();
  const perform = async ({ run, undo }: Change, fields: Fields, { signal }: RequestOptions) => {
    const change = async (account: Account, isStopped: boolean): Promise<Result> => {
      const failed = (error: unknown) => ({ account, outcome: 'failed', error });
      if (isStopped) return failed('Not sent: you stopped before.');
      return run(account.username, fields, { signal }).then(
        ({ changed }) =>
          changed
            ? { account, outcome: 'changed', undo: undo?.(account, fields) }
            : { account, outcome: 'not changed' },
        failed,
      );
    };
    const results = await onEach(chosen, change, signal);
    setChosen(results.flatMap(({ account, error }) => (error ? [account] : [])));
    return <Report results={results} after={after} />;
  };
  const actions = Object.values(CHANGES).map((change) => ({
    label: change.label,
    isDangerous: change.isDangerous,
    text: change.effect,
    run: (fields: Fields, options: RequestOptions) => perform(change, fields, options),
    children: [<Preview key={change.label} change={change} chosen={chosen} />, progress],
  }));
  if (chosen.length === 0) return null;
  return (
    <section class="bulk row card" aria-label="Selected accounts">
      <strong role="status">
        {count(chosen)} selected
        {elsewhere > 0 && `, ${elsewhere === chosen.length ? 'all' : elsewhere} on other pages`}
        {chosen.length >= MAX_CHOSEN && ', the most at once'}
      </strong>
      <Button class="quiet" onClick={() => setChosen([])}>
        Clear
      </Button>
      <Acts on={count(chosen)} after={after} of={actions} />
    </section>
  );
}
