import type { Account, RequestOptions } from '#lib/client/index';
import { bulk as t } from '#texts/bulk';
import { parts } from '#texts/parts';
import { CHANGES, type Change } from '../../accounts/changes.tsx';
import { type Action, Acts } from '../../act.tsx';
import type { Fields } from '../../form.tsx';
import { useWork } from '../../parts.tsx';
import { client } from '../../session.ts';
import { setChosen } from './choice.tsx';
import { type Coded, CodesPreview, CodesReport, reasonAgainst } from './codes.tsx';
import { whom } from './lines.tsx';
import { Preview } from './preview.tsx';
import { batchOf, Report, type Result } from './report.tsx';

/** Actions on the chosen accounts, each with a preview and a report of its changes. */
export function BulkActs({ chosen, after }: { chosen: readonly Account[] } & Pick<Action, 'after'>) {
  const [onEach, progress] = useWork();
  /** Sends a request for each account; those that fail stay chosen. */
  async function perform<T extends { readonly account: Account; readonly error?: unknown }>(
    accounts: readonly Account[],
    request: (account: Account, options: RequestOptions) => Promise<T>,
    failed: (account: Account, error: unknown) => T,
    signal: AbortSignal | undefined,
  ) {
    const options = { signal, ...batchOf(accounts) };
    const results = await onEach(
      accounts,
      (account, isStopped, send) =>
        isStopped
          ? Promise.resolve(failed(account, parts.notSent))
          : send(() => request(account, options)).catch((error) => failed(account, error)),
      signal,
    );
    setChosen(results.flatMap(({ account, error }) => (error ? [account] : [])));
    return results;
  }
  const change = async (change: Change, fields: Fields, { signal }: RequestOptions) => {
    const request = async (account: Account, options: RequestOptions): Promise<Result> => {
      const { changed } = await change.run(account.username, fields, options);
      return changed
        ? { account, outcome: 'changed', undo: change.undo?.(account, fields) }
        : { account, outcome: 'same' };
    };
    const failed = (account: Account, error: unknown): Result => ({ account, outcome: 'failed', error });
    const results = await perform(chosen, request, failed, signal);
    return <Report change={change} role={fields['role'] ?? ''} results={results} after={after} />;
  };
  const createCodes = async ({ hours }: Fields, { signal }: RequestOptions) => {
    const due = chosen.filter((account) => !reasonAgainst(account));
    if (due.length === 0) throw t.codes.nobody;
    const request = async (account: Account, options: RequestOptions): Promise<Coded> => {
      const terms = { username: account.username, hours: Number(hours) };
      const { code, expires_at: ends } = await client.account.code(terms, options);
      return { account, code, ends };
    };
    const results = await perform(due, request, (account, error): Coded => ({ account, error }), signal);
    return <CodesReport results={results} skipped={chosen.filter((account) => reasonAgainst(account))} />;
  };
  const actionOf = (each: Change): Action => ({
    label: each.label,
    title: each.ask(whom(chosen), chosen.length),
    isDangerous: each.isDangerous,
    text: each.effect,
    run: (fields, options) => change(each, fields, options),
    children: [<Preview key={each.label} change={each} chosen={chosen} />, progress],
  });
  const { LOCK, UNLOCK, ADD_ROLE, REMOVE_ROLE, CANCEL } = CHANGES;
  const codes: Action = {
    label: t.codes.label,
    title: t.codes.ask(whom(chosen)),
    text: t.codes.effect,
    run: createCodes,
    children: [<CodesPreview key="codes" chosen={chosen} />, progress],
  };
  const changes = [LOCK, UNLOCK, ADD_ROLE, REMOVE_ROLE].map(actionOf);
  return <Acts after={after} of={[...changes, codes, actionOf(CANCEL)]} />;
}
