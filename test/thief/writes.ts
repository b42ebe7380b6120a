import type { OperatorNeed } from '#infra/admin/operator-needs';
import { ATTRIBUTES } from '#lib/contract/attributes';
import { PARTITIONS } from '#lib/table/keys';
import { isName, NAMES } from './people.ts';
import type { Snapshot } from './snapshot.ts';
import type { State, Step, World } from './world.ts';

type Item = Readonly<Record<string, unknown>>;

/** The attributes that a role may write, by the prefix of the partition; `*` for all. */
export type Writable = ReadonlyMap<string, ReadonlySet<string>>;

/** Kinds of items whose values give nobody anything: they count, announce, or are read by people. */
const IDLE = [
  'ATTEMPTS',
  'AUDIT',
  'EXPIRING',
  'MADE',
  'OUTBOX',
  'SLICE',
  'SPENT',
  'GRANT',
  'STATS',
  'TEAMS',
  'CANCELLED',
  'CURSORS',
  'CHALLENGES',
  'KEYS',
];

/** What the needs of a role permit to write, as data. */
export function writableBy(needs: Iterable<OperatorNeed>): Writable {
  const all = new Map<string, Set<string>>();
  for (const need of needs) {
    const [, kind = '', write] =
      /^(?:table|transaction):(?:PutItem|UpdateItem):([A-Z]+)(?::(.+))?$/.exec(need) ?? [];
    if (!(kind in PARTITIONS) || IDLE.includes(kind)) continue;
    const names: readonly string[] = (ATTRIBUTES as Readonly<Record<string, readonly string[]>>)[
      write ? `${kind}:${write}` : kind
    ] ?? ['*'];
    const prefix = PARTITIONS[kind as keyof typeof PARTITIONS];
    all.set(prefix, new Set([...(all.get(prefix) ?? []), ...names]));
  }
  return all;
}

/** The same text for roles that may write the same. */
export const signatureOf = (writable: Writable) =>
  [...writable]
    .map(([prefix, names]) => `${prefix} ${[...names].sort().join(' ')}`)
    .sort()
    .join('\n');

const nameIn = (key: string) => NAMES.find((name) => new RegExp(`#${name}(#|\\n|$)`).test(key));

/** An item in words: its kind and its account. */
function itemIn(key: string, item: Item): string {
  const [kind = ''] = key.split(/[#\n]/);
  const owner =
    nameIn(key) ??
    Object.values(item)
      .map((value) => (value as { S?: string }).S)
      .find(isName);
  return `${kind.toLowerCase()} item of ${owner}${key.endsWith('PROPERTIES') ? ' (properties)' : ''}`;
}

const parse = (text: string | undefined): Item => (text === undefined ? {} : JSON.parse(text));

/** Changes of an item that a role may make, by what it and others of its kind have had. */
function* changesOf(key: string, now: Snapshot, past: readonly Snapshot[], may: (name: string) => boolean) {
  const present = parse(now.get(key));
  const permitted = (item: Item) => Object.entries(item).filter(([name]) => may(name));
  const differs = ([name, value]: readonly [string, unknown]) =>
    JSON.stringify(present[name]) !== JSON.stringify(value);
  const earlier = past
    .map((snapshot) => snapshot.get(key))
    .filter((text) => text !== undefined)
    .map(parse);
  for (const item of earlier) {
    const absent = Object.keys(present)
      .filter((name) => may(name) && !(name in item))
      .map((name) => [name, undefined] as const);
    const all = [...permitted(item), ...absent].filter(differs);
    for (const one of all) yield { what: one[0], how: 'as it was', values: [one] };
    if (all.length > 1) yield { what: 'all that it may', how: 'as it was', values: all };
  }
  if (!now.has(key)) return;
  const [kind = ''] = /^[A-Z]+#?/.exec(key) ?? [];
  const ending = key.split('\n')[1];
  for (const [other, text] of now)
    if (other !== key && other.startsWith(kind) && other.split('\n')[1] === ending) {
      const item = parse(text);
      for (const one of permitted(item).filter(differs))
        yield { what: one[0], how: `as in the ${itemIn(other, item)}`, values: [one] };
    }
}

/** Raw writes of values that an attribute has had, in the same or in another account. */
export function* writesFrom(
  world: World,
  state: State,
  writable: Writable,
  past: readonly Snapshot[],
): Generator<Step> {
  const keys = new Set([state.snapshot, ...past].flatMap((snapshot) => [...snapshot.keys()]));
  for (const [prefix, names] of writable)
    for (const key of keys) {
      if (!(prefix.endsWith('#') ? key.startsWith(prefix) : key.startsWith(`${prefix}\n`))) continue;
      const may = (name: string) => !['PK', 'SK'].includes(name) && (names.has('*') || names.has(name));
      for (const { what, how, values } of changesOf(key, state.snapshot, past, may)) {
        const item = parse(state.snapshot.get(key) ?? past.find((one) => one.has(key))?.get(key));
        yield {
          words: `write ${what} of the ${itemIn(key, item)} ${how}`,
          group: '',
          about: [nameIn(key) ?? 'owner'],
          // Values differ in each state, so nothing is known of it from another one.
          isUnique: true,
          take: () => world.write(key, values).then(() => ({ ok: true })),
        };
      }
    }
}
