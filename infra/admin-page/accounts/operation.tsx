import { useRef, useState } from 'preact/hooks';
import { inParallel } from '#lib/async/in-parallel';
import { type AuditEntry, CoreAccountError, type RequestOptions } from '#lib/client/index';
import { isPseudonym } from '#lib/item/erasure';
import { activity as t } from '#texts/activity';
import { sentences } from '#texts/sentences';
import { Act, type Action } from '../act.tsx';
import { Failed } from '../failed.tsx';
import { Pending } from '../listing.tsx';
import { Promotion, roleName } from '../memberships.tsx';
import { Confirm, Lines, Tally, useWork } from '../parts.tsx';
import { hrefTo } from '../place.ts';
import { useQuery } from '../query.ts';
import type { Said } from '../said.ts';
import { ADMINISTRATOR, AT_ONCE, client } from '../session.ts';
import {
  type Access,
  batchOf,
  type Group,
  type Inverse,
  inverseOf,
  operationKey,
  type Stay,
  sizeOf,
  stayOf,
  summaryOf,
} from './operations.ts';
import { OperationSentence, reasonOf, Sentence, some } from './sentence.tsx';

/** An operation is over within a day: a busy service makes it wait an hour at most, several times. */
const AROUND_MS = 86_400_000;

/** All entries of an operation, of which a page may have a part. */
async function readAll(of: Group, signal: AbortSignal, onProgress?: (count: number) => void): Promise<Group> {
  const [first] = of;
  const times = of.map(({ time }) => Date.parse(time));
  const query = {
    batch: batchOf(first),
    names: true,
    since: new Date(Math.min(...times) - AROUND_MS).toISOString(),
    until: new Date(Math.max(...times) + AROUND_MS).toISOString(),
  };
  const size = sizeOf(first) ?? Number.POSITIVE_INFINITY;
  const found: AuditEntry[] = [];
  for await (const entry of client.audit.browse(query, { signal })) {
    if (operationKey(entry) !== operationKey(first)) continue;
    found.push(entry);
    onProgress?.(found.length);
    if (found.reduce((sum, { count = 1 }) => sum + count, 0) >= size) break;
  }
  const [newest, ...others] = found;
  return newest ? [newest, ...others] : of;
}

/** The usernames of those who have a name in common with another one. */
const namesakesIn = (entries: readonly AuditEntry[]) =>
  [...Map.groupBy(entries, ({ target_name }) => target_name).values()]
    .filter((same) => new Set(same.map(({ target }) => target)).size > 1)
    .flatMap((same) => same.map(({ target }) => target));

interface NameProps {
  readonly of: AuditEntry;
  /** The usernames that are shown. */
  readonly namesakes: ReturnType<typeof namesakesIn>;
}

/** The name of a person, with the username on hover; next to it where others have the same name. */
const Name = ({ of: { target, target_name }, namesakes }: NameProps) => (
  <>
    <bdi title={target ?? ''}>
      {isPseudonym(target ?? '') ? sentences.account.erased : target_name || target}
    </bdi>
    {target_name && namesakes.includes(target) && (
      <>
        {' '}
        <bdi class="faint">{target}</bdi>
      </>
    )}
  </>
);

/** A person in an operation, and how it went if it has not changed them. */
function Outcome({ of, namesakes }: NameProps) {
  const { target, outcome, changed } = of;
  if (!target || isPseudonym(target)) return <Sentence of={of} count={of.count ?? 1} />;
  return (
    <>
      <a href={hrefTo('account', { username: target })}>
        <Name of={of} namesakes={namesakes} />
      </a>
      {outcome !== 'ok' ? (
        <>
          {': '}
          <span class="bad">{reasonOf(of)}</span>
        </>
      ) : (
        changed === false && <span class="faint">{sentences.unchanged}</span>
      )}
    </>
  );
}

/** What an operation did to each person. */
export function OperationDetails({ of }: { readonly of: Group }) {
  const query = useQuery((signal) => readAll(of, signal), []);
  const namesakes = namesakesIn(query.data ?? []);
  return (
    <>
      <Pending {...query} of="lines" />
      {query.data && (
        <Lines label={t.details}>
          {query.data.map((entry) => (
            <li key={`${entry.time} ${entry.requestId}`}>
              <Outcome of={entry} namesakes={namesakes} />
            </li>
          ))}
        </Lines>
      )}
      <p>
        <a href={hrefTo('audit', { batch: batchOf(of[0]) })}>{t.showEach}</a>
      </p>
    </>
  );
}

/** A person whom an operation has changed. */
interface Undone {
  readonly entry: AuditEntry;
  readonly username: string;
  readonly inverse: Inverse;
  /** Why the account stays as it is. */
  readonly stay: Stay | undefined;
}

interface Plan {
  readonly people: readonly Undone[];
  /** Requests of the operation without an entry. */
  readonly missing: number;
}

/** Roles, teams and applications of an account; undefined if it does not exist. */
const readAccess = (username: string, signal: AbortSignal) =>
  client.account.profile({ username, pscope: ['roles', 'teams', 'apps'] }, { signal }).catch((error) => {
    if (error instanceof CoreAccountError && error.code === 'account_not_found') return undefined;
    throw error;
  });

/** The account as far as the inverse depends on it. */
async function nowOf(username: string, inverse: Inverse, signal: AbortSignal) {
  const [{ value: item }, profile] = await Promise.all([
    client.account.browse({ username }, { signal }).next(),
    inverse.kind === 'access' ? readAccess(username, signal) : undefined,
  ]);
  return { item: item ?? undefined, profile };
}

async function planOf(of: Group, signal: AbortSignal, onProgress: (count: number) => void): Promise<Plan> {
  const entries = await readAll(of, signal, onProgress);
  const changes = entries.flatMap((entry) => {
    const inverse = inverseOf(entry);
    return inverse && entry.target ? [{ entry, inverse, username: entry.target }] : [];
  });
  const people = await inParallel(
    changes,
    async (change): Promise<Undone> => {
      if (isPseudonym(change.username)) return { ...change, stay: 'gone' };
      const now = await nowOf(change.username, change.inverse, signal);
      return { ...change, stay: stayOf(change.entry, change.inverse, now) };
    },
    AT_ONCE,
  );
  const told = entries.reduce((sum, { count = 1 }) => sum + count, 0);
  return { people, missing: Math.max(0, (sizeOf(of[0]) ?? 0) - told) };
}

const SIMPLE = {
  unlock: (username: string, options: RequestOptions) => client.account.unlock({ username }, options),
  cancel: (username: string, options: RequestOptions) => client.account.cancel({ username }, options),
  reactivate: (username: string, options: RequestOptions) =>
    client.account.reactivate({ username, revoke_tokens: false }, options),
};

/** Takes a change back. */
async function takeBack({ username, inverse }: Undone, options: RequestOptions): Promise<boolean> {
  if (inverse.kind !== 'access') return (await SIMPLE[inverse.kind](username, options)).changed;
  const listsOf = (lists: Access) =>
    Object.fromEntries(Object.entries(lists).map(([list, names]) => [list, [...names]]));
  const { username: _, ...answer } = await client.account.access(
    { username, add: listsOf(inverse.add), remove: listsOf(inverse.remove) },
    options,
  );
  return Object.values(answer).some((names) => Array.isArray(names) && names.length > 0);
}

const namesOf = ({ roles = [], teams = [], apps = [] }: Access) => [
  ...roles.map(roleName),
  ...teams,
  ...apps,
];

/** What will happen to a person. */
function willOf({ inverse }: Undone): Said {
  if (inverse.kind !== 'access') return t.will[inverse.kind];
  const [lost, got] = [namesOf(inverse.remove), namesOf(inverse.add)];
  const parts = [...(lost.length ? [t.loses(some(lost))] : []), ...(got.length ? [t.gets(some(got))] : [])];
  return parts.map((part, index) => [index > 0 && t.and, part]);
}

interface PreviewProps {
  readonly of: Group;
  readonly onRead: (plan: Plan) => void;
}

/** Whom it can be taken back for, and who stays. */
function Preview({ of, onRead }: PreviewProps) {
  const [count, setCount] = useState(0);
  const query = useQuery(async (signal) => {
    const plan = await planOf(of, signal, setCount);
    onRead(plan);
    return plan;
  }, []);
  const { people, missing } = query.data ?? { people: [], missing: 0 };
  const due = people.filter(({ stay }) => !stay);
  const namesakes = namesakesIn(people.map(({ entry }) => entry));
  const cancels = due.some(({ inverse }) => inverse.kind === 'cancel');
  const promotes = due.some(
    ({ inverse }) => inverse.kind === 'access' && inverse.add.roles?.includes(ADMINISTRATOR),
  );
  return (
    <>
      <Pending {...query} isLoading={false} />
      {!query.data && query.isLoading && <p class="faint">{t.reading(count, sizeOf(of[0]))}</p>}
      {query.data && due.length === 0 && <p>{t.nobody}</p>}
      {people.length > 0 && (
        <Lines label={t.listed}>
          {people.map((one) => (
            <li key={one.username} class={one.stay && 'faint'}>
              <Name of={one.entry} namesakes={namesakes} /> {one.stay ? t.stays[one.stay] : willOf(one)}
            </li>
          ))}
        </Lines>
      )}
      {missing > 0 && <p>{t.missing(missing)}</p>}
      {promotes && <Promotion of={t.administrators(due.length)} />}
      {cancels && <Confirm text={`${due.length}`} hint={t.confirm(due.length)} />}
    </>
  );
}

interface Result {
  readonly entry: AuditEntry;
  readonly outcome: string;
  readonly error?: unknown;
}

/** For whom it was taken back. */
function Report({ results }: { readonly results: readonly Result[] }) {
  const namesakes = namesakesIn(results.map(({ entry }) => entry));
  return (
    <>
      <Tally of={results} />
      <Lines label={t.done}>
        {results.map(({ entry, outcome, error }) => (
          <li key={entry.target}>
            <Name of={entry} namesakes={namesakes} /> {error ? <Failed error={error} /> : outcome}
          </li>
        ))}
      </Lines>
    </>
  );
}

interface UndoProps extends Pick<Action, 'after'> {
  readonly of: Group;
}

/** A button that takes an operation back, for those whom it has changed and who are still as it left them. */
export function UndoOperation({ of, after }: UndoProps) {
  const plan = useRef<Plan | undefined>(undefined);
  const [onEach, progress] = useWork();
  const run = async (_: object, { signal }: RequestOptions) => {
    if (!plan.current) return Promise.reject(t.notRead);
    const due = plan.current.people.filter(({ stay }) => !stay);
    if (due.length === 0) return Promise.reject(t.nobody);
    const batch = { id: crypto.randomUUID(), size: due.length };
    const { back, unchanged, failed, stopped } = t.results;
    const results = await onEach(
      due,
      async (one, isStopped, send): Promise<Result> => {
        const { entry } = one;
        if (isStopped) return { entry, outcome: failed, error: stopped };
        return send(() => takeBack(one, { ...(signal && { signal }), batch })).then(
          (changed) => ({ entry, outcome: changed ? back : unchanged }),
          (error) => ({ entry, outcome: failed, error }),
        );
      },
      signal,
    );
    return <Report results={results} />;
  };
  const onRead = (read: Plan) => {
    plan.current = read;
  };
  const { kind, roles } = summaryOf(of);
  const ask =
    kind === 'given' || kind === 'taken'
      ? t.undoRole[kind](some(roles.map(roleName)), roles.length)
      : t.undoAsk[kind];
  // Each operation has drafts of its own.
  const title = <span data-batch={batchOf(of[0])}>{ask}</span>;
  return (
    <Act label={t.undo} title={title} text={t.undoEffect} run={run} after={after}>
      <p>
        <OperationSentence of={of} />
      </p>
      <Preview of={of} onRead={onRead} />
      {progress}
    </Act>
  );
}
