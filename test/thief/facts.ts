import { unmarshall } from '@aws-sdk/util-dynamodb';
import { ATTRIBUTES } from '#lib/contract/attributes';
import { isLockedByAdministrator } from '#lib/item/account';
import { UNFILLED } from '#lib/item/fields';
import { PARTITIONS } from '#lib/table/keys';
import { CHOOSERS, isName, passwordOf } from './people.ts';
import { devices, passwordIn, type Secret, wordsOf } from './secrets.ts';
import { isPassing, type Snapshot } from './snapshot.ts';

/**
 * What a state is: one text for each thing that is so about an account, which begins with its name. IDs, times, hashes and
 * counters are not in it, so states that differ in nothing else are one.
 */
export type Facts = readonly string[];

/** Attributes of accounts that no rule of access compares: what people see, and when they were there. */
const SHOWN = new Set([
  ...Object.keys(UNFILLED),
  ...['PK', 'SK', 'GSI1PK', 'GSI1SK', 'username', 'apps', 'teams', 'team_id', 'team_name', 'user_app_name'],
  ...[
    'user_home',
    'user_avatar',
    'emailconfirmed',
    'lastActivity',
    'never_used',
    'created_at',
    'names_apart',
  ],
  // Whether a credential has ended is tried, not read.
  ...['ended', 'ended_until', 'lockoutend', 'lock_reason', 'stamp', 'cancelled_at', 'cancelled_by'],
]);

/** Attributes of accounts whose absence is a fact: all that a function may write, without counters. */
const COMPARED = new Set(
  Object.entries<readonly string[]>(ATTRIBUTES)
    .filter(([kind]) => kind.startsWith('ACCOUNT:'))
    .flatMap(([, attributes]) => attributes)
    .filter(
      (attribute) =>
        !SHOWN.has(attribute) &&
        !/^(transitions|sequence_|token_|failures_)|^(json|id|sha256)$/.test(attribute),
    ),
);

/** Kinds of items that say who may do what. Credentials are known by those who hold them. */
const READ = [
  PARTITIONS.ACCOUNT,
  PARTITIONS.PASSWORD,
  PARTITIONS.CODE,
  PARTITIONS.ERASED,
  PARTITIONS.ERASING,
  PARTITIONS.TRUST,
];

/** A value without what differs in each run; undefined if nothing is left. */
function plain(value: unknown): unknown {
  if (Array.isArray(value))
    return value
      .map(plain)
      .filter((each) => each !== undefined)
      .sort();
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value)
        .map(([name, each]) => [name, plain(each)] as const)
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  if (typeof value === 'number') return undefined;
  if (typeof value !== 'string' || isName(value)) return value;
  const device = devices.get(value);
  if (device) return `${device.holder}'s device`;
  return /[0-9a-f-]{32}|^\d{4}-\d\d-\d\d|[\w+/=-]{40}/.test(value) ? undefined : value;
}

const nameIn = (key: string): string => /^\w+#([^#\n]+)/.exec(key)?.[1] ?? '';

function factsOfItem(key: string, text: string, now: number): string[] {
  const name = nameIn(key);
  if (isPassing(key) || !READ.some((kind) => key.startsWith(kind)) || !isName(name)) return [];
  const item = unmarshall(JSON.parse(text)) as Record<string, unknown>;
  if (key.startsWith(PARTITIONS.PASSWORD)) {
    const password = passwordIn(String(item['hash']), name);
    const by = CHOOSERS.find((one) => passwordOf(name, one) === password);
    return [`${name}: password chosen by ${by ?? 'nobody known'}`];
  }
  if (key.startsWith(PARTITIONS.CODE)) return [`${name}: code made by ${String(item['code_created_by'])}`];
  if (key.startsWith(PARTITIONS.TRUST)) {
    const { trust_name, trust_subject, trust_created_by: by, trust_roles, access } = item;
    return [
      `${name}: trust ${trust_name} ${JSON.stringify(plain({ trust_subject, by, trust_roles, access }))}`,
    ];
  }
  if (!key.endsWith('\nACCOUNT')) return [`${name}: ${key.replace('\n', ' ')}`];
  const locked = isLockedByAdministrator(item as never, now) ? [`${name}: locked`] : [];
  const absent = [...COMPARED]
    .filter((attribute) => item[attribute] === undefined)
    .map((attribute) => `${name}: no ${attribute}`);
  const rest = Object.entries(item).flatMap(([attribute, value]) => {
    const left = SHOWN.has(attribute) ? undefined : plain(value);
    return left === undefined ? [] : [`${name}: ${attribute} ${JSON.stringify(left)}`];
  });
  return [...locked, ...rest, ...absent];
}

/** Facts of items do not change: each text is read once for each lock that may have ended. */
const known = new Map<string, readonly string[]>();

/** The facts of the table. */
export function factsIn(snapshot: Snapshot, now: number): string[] {
  return [...snapshot].flatMap(([key, text]) => {
    const id = text.includes('lockoutend') ? `${now} ${text}` : text;
    const facts = known.get(id) ?? factsOfItem(key, text, now);
    known.set(id, facts);
    return facts;
  });
}

/** The facts about the secrets that somebody holds. */
export const factsOf = (holder: string, secrets: readonly Secret[], now: number): string[] =>
  secrets.map(
    (secret) =>
      `${secret.of}: ${holder} has the ${wordsOf(secret, now)}, which ${secret.works ? 'works' : 'has ended'}`,
  );
