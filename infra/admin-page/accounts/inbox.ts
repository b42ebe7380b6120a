import { signal } from '@preact/signals';
import { inParallel } from '#lib/async/in-parallel';
import type { Account, Page, PendingEvent, RequestOptions, Token } from '#lib/client/index';
import { isPseudonym } from '#lib/item/erasure';
import { foldCase } from '#lib/text/fold-case';
import { addressWithName, hasPasskeys } from '../passkey.ts';
import { ADMINISTRATOR, AT_ONCE, client } from '../session.ts';
import { type Concern, concernsOf, isSettled, isUnused } from './concerns.ts';
import { keyOf, later } from './later.ts';
import { noteNamesOf } from './names.tsx';
import type { Passkey } from './passkeys.tsx';

/** Something that needs attention. */
export type Matter = {
  /** What the store of the browser calls it when a person puts it off. */
  readonly key: string;
} & (
  | { readonly kind: 'codes'; readonly account: Account; readonly ended: string | null }
  | { readonly kind: 'leavers' | 'bare' | 'machines'; readonly account: Account }
  | { readonly kind: 'refused' | 'idle'; readonly account: Account; readonly passkey: Passkey }
  | { readonly kind: 'events'; readonly events: readonly PendingEvent[]; readonly isMore: boolean }
  | { readonly kind: Concern; readonly token: Token; readonly concerns: readonly Concern[] }
);

/** A matter that may be of this kind. */
export type Of<Kind extends Matter['kind']> = Matter & { readonly kind: Kind };

interface Found {
  readonly matters: readonly Matter[];
  /** Whether there may be more, which nobody has looked for. */
  readonly isMore?: boolean;
}

interface Reading {
  readonly signal: AbortSignal;
  /** The most requests for accounts: each may read thousands of them. */
  readonly most: number;
  /** Called with the number of tokens that were read. */
  readonly onRead: (tokens: number) => void;
  readonly administrators: () => Promise<readonly Account[]>;
}

/** The items of the first pages of a listing. */
async function some<Item>(pages: AsyncIterable<Page<Item>>, most: number) {
  const items: Item[] = [];
  let requests = 0;
  for await (const page of pages) {
    items.push(...page.items);
    if (page.next_cursor && ++requests >= most) return { items, isMore: true };
  }
  return { items, isMore: false };
}

/** People without a password whose one-time code has ended. */
async function readCodes({ signal, most }: Reading): Promise<Found> {
  const asked = { state: 'code_expired', kind: 'person', limit: 200 } as const;
  const { items, isMore } = await some(client.account.browse(asked, { signal }).pages(), most);
  const matters = items
    .filter(({ code_expires_at, created_at }) => isSettled(code_expires_at ?? created_at, Date.now()))
    .map((account) => {
      const ended = account.code_expires_at ?? null;
      return { kind: 'codes', key: keyOf('codes', `${account.id} ${ended}`), account, ended } as const;
    });
  noteNamesOf(items);
  return { matters, isMore };
}

/** People who were cancelled, in the order of their cancellation, up to the first one who cannot be erased yet. */
async function readLeavers({ signal, most }: Reading): Promise<Found> {
  const matters: Matter[] = [];
  const asked = { cancelled_since: '1970-01-01', kind: 'person', limit: 200 } as const;
  let requests = 0;
  for await (const { items, next_cursor } of client.account.browse(asked, { signal }).pages()) {
    for (const account of items) {
      if (!account.erasable_from) continue;
      if (!isSettled(account.erasable_from, Date.now())) return { matters };
      const key = keyOf('leavers', `${account.id} ${account.cancelled_at}`);
      matters.push({ kind: 'leavers', key, account });
    }
    if (next_cursor && ++requests >= most) return { matters, isMore: true };
  }
  return { matters };
}

/** Whether the owner of a machine is gone for an hour; of one who was erased, that is certain. */
async function isLongGone({ owner }: Account, options: RequestOptions) {
  if (!owner || isPseudonym(owner)) return true;
  const { value } = await client.account.browse({ username: owner }, options).next();
  return !value?.cancelled_at || isSettled(value.cancelled_at, Date.now());
}

/** Machines for which nobody answers any more. */
async function readMachines({ signal, most }: Reading): Promise<Found> {
  const asked = { kind: 'machine', owner_gone: true, limit: 200 } as const;
  const { items, isMore } = await some(client.account.browse(asked, { signal }).pages(), most);
  const gone = await inParallel(items, (machine) => isLongGone(machine, { signal }), AT_ONCE);
  const matters = items
    .filter((_, index) => gone[index])
    .map((account) => {
      const key = keyOf('machines', `${account.id} ${account.owner}`);
      return { kind: 'machines', key, account } as const;
    });
  return { matters, isMore };
}

const passkeysOf = async ({ username }: Account, options: RequestOptions) =>
  (await client.account.passkeys({ username }, options)).items;

/** Passkeys of all accounts that are refused although their owners use them. */
async function readRefused({ signal, most }: Reading): Promise<Found> {
  const asked = { counter_fell: true, limit: 200 };
  const { items, isMore } = await some(client.account.browse(asked, { signal }).pages(), most);
  const all = await inParallel(items, (account) => passkeysOf(account, { signal }), AT_ONCE);
  const matters = items.flatMap((account, index) =>
    (all[index] ?? [])
      .filter(({ counter_fell_at: since }) => since && isSettled(since, Date.now()))
      .map((passkey) => {
        const key = keyOf('refused', `${account.id} ${passkey.name} ${passkey.counter_fell_at}`);
        return { kind: 'refused', key, account, passkey } as const;
      }),
  );
  return { matters, isMore };
}

/** The most administrators whose passkeys are read. */
const MAX_READ = 100;

async function readAdministrators(signal: AbortSignal): Promise<readonly Account[]> {
  const found: Account[] = [];
  for await (const account of client.account.browse({ role: ADMINISTRATOR }, { signal })) found.push(account);
  noteNamesOf(found);
  return found;
}

/** Administrators without a passkey, where they could have one, and passkeys that they do not use. */
async function readPasskeys({ signal, administrators }: Reading): Promise<Found> {
  const active = (await administrators()).filter(({ isactive }) => isactive);
  const read = active.slice(0, MAX_READ);
  const all = await inParallel(read, (account) => passkeysOf(account, { signal }), AT_ONCE);
  const now = Date.now();
  const isOffered = hasPasskeys() && addressWithName() === undefined;
  const matters = read.flatMap((account, index): Matter[] => {
    const passkeys = all[index] ?? [];
    if (passkeys.length === 0 && isOffered && isSettled(account.created_at, now))
      return [{ kind: 'bare', key: keyOf('bare', account.id), account }];
    return passkeys
      .filter(({ used_at, created_at }) => isUnused(used_at ?? created_at, now))
      .map((passkey) => {
        const key = keyOf('idle', `${account.id} ${passkey.name}`);
        return { kind: 'idle', key, account, passkey } as const;
      });
  });
  return { matters, isMore: read.length < active.length };
}

/** Events that wait for longer than the job needs that publishes them, as one matter. */
async function readEvents({ signal }: Reading): Promise<Found> {
  const { items: all, isMore } = await some(client.event.pending({ limit: 1000 }, { signal }).pages(), 1);
  const events = all.filter(({ created_at }) => isSettled(created_at, Date.now()));
  const [oldest] = events;
  return { matters: oldest ? [{ kind: 'events', key: keyOf('events', oldest.id), events, isMore }] : [] };
}

/** The tokens of all accounts that need attention, from one pass through all tokens: each once, for its first concern. */
async function readTokens({ signal, onRead, administrators: readAll }: Reading): Promise<Found> {
  const administrators = new Set((await readAll()).map(({ username }) => foldCase(username)));
  const present = { now: Date.now(), administrators };
  const matters: Matter[] = [];
  let read = 0;
  for await (const { items } of client.token.browse({}, { signal }).pages()) {
    for (const token of items) {
      const concerns = concernsOf(token, present);
      const [kind] = concerns;
      if (!kind) continue;
      matters.push({ kind, key: keyOf(kind, `${token.userid} ${token.name}`), token, concerns });
    }
    read += items.length;
    onRead(read);
  }
  return { matters };
}

const SOURCES = {
  codes: readCodes,
  leavers: readLeavers,
  refused: readRefused,
  machines: readMachines,
  events: readEvents,
  passkeys: readPasskeys,
  tokens: readTokens,
} as const;

type Source = keyof typeof SOURCES;

/** All places that matters come from. */
export const ALL = Object.keys(SOURCES) as Source[];

/** Those that a few requests read. */
const FEW: readonly Source[] = ['codes', 'leavers', 'refused', 'machines', 'events'];

/** The place that a matter comes from, to read it again. */
export const sourceOf = ({ kind }: Matter): Source =>
  kind in SOURCES ? (kind as Source) : kind === 'bare' || kind === 'idle' ? 'passkeys' : 'tokens';

/** What was found at a place, which stays while it is read again. */
type Part = Partial<Found> & { readonly error?: unknown; readonly isLoading: boolean };

/** What was found at each place. */
export const inbox = signal<Readonly<Partial<Record<Source, Part>>>>({});

/** The number of tokens that were read so far. */
export const tokensRead = signal(0);

const note = (source: Source, part: Part) => {
  inbox.value = { ...inbox.value, [source]: part };
};

/** Requests at most for accounts of each source on the screen, and for a count. */
const MOST = 20;
const MOST_FOR_COUNT = 2;

/** Looks for matters at some places. */
export async function refresh(sources: readonly Source[], signal: AbortSignal, most = MOST): Promise<void> {
  let found: Promise<readonly Account[]> | undefined;
  const administrators = () => {
    found ??= readAdministrators(signal);
    return found;
  };
  const onRead = (tokens: number) => {
    tokensRead.value = tokens;
  };
  const read = async (source: Source) => {
    const { error: _, ...before } = inbox.value[source] ?? {};
    note(source, { ...before, isLoading: true });
    try {
      const part = await SOURCES[source]({ signal, most, onRead, administrators });
      note(source, { ...part, isLoading: false });
    } catch (error) {
      note(source, { ...before, ...(!signal.aborted && { error }), isLoading: false });
    }
  };
  await Promise.all(sources.map(read));
}

/** Looks for what a few requests find, unless that is known. */
export const refreshCount = (signal: AbortSignal) =>
  refresh(
    FEW.filter((source) => !inbox.value[source]),
    signal,
    MOST_FOR_COUNT,
  );

const mattersOf = (sources: readonly Source[]) =>
  sources.flatMap((source) => inbox.value[source]?.matters ?? []);

/** The matters that were found: those of now, and those that were put off. */
export function sorted() {
  const all = mattersOf(ALL);
  return {
    now: all.filter(({ key }) => later.value[key] === undefined),
    off: all.filter(({ key }) => later.value[key] !== undefined),
  };
}

const SLOW = ALL.filter((source) => !FEW.includes(source));

/** Name in the store of the tab: the number of matters that only the screen finds. */
const STORED = 'attention';

/** Remembers in this tab how many matters the screen has found that a count does not look for. */
export function rememberSlow() {
  if (!SLOW.every((source) => inbox.value[source]?.matters)) return;
  const slow = mattersOf(SLOW).filter(({ key }) => later.value[key] === undefined);
  try {
    sessionStorage[STORED] = slow.length;
  } catch {
    // The count is without them.
  }
}

function remembered(): number {
  try {
    return Number(sessionStorage[STORED] ?? 0);
  } catch {
    return 0;
  }
}

/** The number of matters, as far as it is known, and whether there may be more. */
export function countNow() {
  const isKnown = SLOW.every((source) => inbox.value[source]?.matters);
  const { now } = sorted();
  const counted = isKnown ? now : now.filter((matter) => FEW.includes(sourceOf(matter)));
  return {
    count: counted.length + (isKnown ? 0 : remembered()),
    isMore: Object.values(inbox.value).some(({ isMore }) => isMore),
  };
}
