import { needsOfGroup } from '#infra/admin/needs';
import type { OperatorNeed } from '#infra/admin/operator-needs';
import { createAccount, type NewAccount } from '#lib/account/create';
import type { CredentialLimits } from '#lib/item/token';
import { functions, needsOf } from '#lib/routes';
import { DAY_MS } from '#lib/time';
import type { REMEDIES } from '../../infra/remedies.ts';
import { uuidOf } from '../unit/support/items.ts';
import { actingOn, type People } from './acting.ts';
import { START, setClock, THEFT_AT } from './clock.ts';
import { RESOURCE } from './elsewhere.ts';
import { MACHINE, NAMES, type Name, PEOPLE, type Person, passwordOf } from './people.ts';
import { applyRemedy } from './remedy.ts';
import { deviceFor, platformSecret, type Secret } from './secrets.ts';
import type { Service, Setting } from './service.ts';
import type { Snapshot } from './snapshot.ts';
import type { State, World } from './world.ts';
import { signatureOf, writableBy } from './writes.ts';

type Row = keyof typeof REMEDIES;

/** The settings that decide about the step-up. */
export const SETTINGS = {
  off: { SecondFactor: 'off', AdministratorTokens: true },
  offered: { SecondFactor: 'offered', AdministratorTokens: true },
  administrators: { SecondFactor: 'administrators', AdministratorTokens: true },
  'administrators without tokens': { SecondFactor: 'administrators', AdministratorTokens: false },
} as const satisfies Readonly<Record<string, Setting>>;
export type SettingsName = keyof typeof SETTINGS;

/** The kinds of owners of what is stolen, by their roles. */
export const OWNERS = {
  person: [],
  'person with `sys_tokens`': ['sys_tokens'],
  administrator: ['sys_administrator', 'sys_tokens'],
  authorizer: ['sys_introspection'],
  // All that a machine may have of the service.
  machine: ['sys_introspection'],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type Owner = keyof typeof OWNERS;

/** The host after a move of the service, and so of its passkeys. */
const MOVED = { ApiUrl: 'https://moved.example.org' };

interface Theft {
  /** The passkeys' domain has moved since: all passkeys are those of another domain. */
  readonly moved?: true;
  /** What somebody who owns all of it must reach: no thief, but the owner. */
  readonly must?: (owner: Owner) => readonly RegExp[];
  /** Everything that is stolen has ended by the remedy of a password. */
  readonly ended?: true;
  /** What the thief may write, or run, without a request. */
  readonly needs?: () => Iterable<OperatorNeed>;
  readonly runsCommands?: true;
  /** Row of the remedies' table; that of an administrator has one of its own. */
  readonly row: Row;
  readonly owners: readonly Owner[];
  /** Whether the owner must have a passkey. */
  readonly withPasskey?: true;
  readonly steal: (people: People) => Promise<readonly Secret[]>;
}

const EVERYBODY: readonly Owner[] = ['person', 'person with `sys_tokens`', 'administrator'];
const MAKERS: readonly Owner[] = ['person with `sys_tokens`', 'administrator'];

/** What a thief of a password made before its remedy ended all of it. */
const ended = (row: 'role' | 'support', needs: () => Iterable<OperatorNeed>): Theft => ({
  row,
  owners: ['person with `sys_tokens`'],
  withPasskey: true,
  ended: true,
  needs,
  steal: async (people) => {
    const [password, session] = [passwordOf('owner'), await people.logIn('owner')];
    const secret = { of: 'owner', about: '', works: true } as const;
    await people.enrolFor('thief', 'owner', await people.assert('owner'));
    return [
      session,
      await people.assert('owner'),
      await people.assertAs('thief', 'owner'),
      await people.token('owner', 'x', { expires_at: THEFT_AT + 365 * DAY_MS }),
      await people.code('owner'),
      { ...secret, kind: 'password', value: password },
      { ...secret, kind: 'device', value: deviceFor('thief', 'owner').device.id },
      { ...secret, kind: 'password', value: passwordOf('thief'), about: 'that of the thief' },
    ];
  },
});

const token = (limits: CredentialLimits = {}): Theft => ({
  row: 'token',
  owners: MAKERS,
  steal: async (people) => [await people.token('owner', 'x', limits)],
});

/** What is stolen: of each row of the remedies' table that a thief uses by requests. */
export const THEFTS = {
  nothing: { row: 'logs', owners: ['person'], withPasskey: true, steal: async () => [] },
  'a password': {
    row: 'password',
    owners: EVERYBODY,
    steal: async () => [
      { kind: 'password', of: 'owner', value: passwordOf('owner'), about: '', works: true },
    ],
  },
  'a one-time code': {
    row: 'password',
    owners: EVERYBODY,
    steal: async (people) => [await people.code('owner')],
  },
  'a session of level 1': {
    row: 'session',
    owners: EVERYBODY,
    steal: async (people) => [await people.logIn('owner')],
  },
  'a session of level 2': {
    row: 'session',
    owners: EVERYBODY,
    withPasskey: true,
    steal: async (people) => [await people.assert('owner')],
  },
  'a passkey': {
    row: 'passkey',
    owners: EVERYBODY,
    withPasskey: true,
    steal: async () => [
      { kind: 'device', of: 'owner', value: deviceFor('owner', 'owner').device.id, about: '', works: true },
    ],
  },
  'a token': { ...token(), owners: EVERYBODY },
  'a read-only token': token({ access: 'read' }),
  'a token without roles': token({ roles: [] }),
  'a token with an address': token({ addresses: ['192.0.2.0/24'] }),
  'the own password and passkey, after the domain of the passkeys moved,': {
    row: 'logs',
    owners: EVERYBODY,
    withPasskey: true,
    moved: true,
    must: (owner) => [
      /^has the session of owner \(level 2/,
      ...(owner === 'administrator'
        ? [/^account.code about colleague$/, /^account.access about colleague$/]
        : []),
    ],
    steal: async () => [
      { kind: 'password', of: 'owner', value: passwordOf('owner'), about: '', works: true },
      { kind: 'device', of: 'owner', value: deviceFor('owner', 'owner').device.id, about: '', works: true },
    ],
  },
  'the token of an authorizer': { ...token(), row: 'authorizer', owners: ['authorizer'] },
  'the token that its platform gives a job': {
    row: 'platform',
    owners: ['machine'],
    steal: async () => [await platformSecret('owner', THEFT_AT)],
  },
  'a session that a trust opened': {
    row: 'platform',
    owners: ['machine'],
    steal: async (people) => [await people.exchange('owner')],
  },
  'a token for another service': {
    row: 'resourceToken',
    owners: ['person', 'administrator'],
    withPasskey: true,
    steal: async (people) => [await people.tokenFor(RESOURCE, await people.assert('owner'))],
  },
  'the key of an issuer': {
    row: 'issuer',
    owners: ['machine'],
    steal: async () => [await platformSecret('owner', THEFT_AT)],
  },
} as const satisfies Readonly<Record<string, Theft>>;

/** Roles of functions, one for all that may write the same; and the policy of support. */
const ROLE_THEFTS: Readonly<Record<string, Theft>> = Object.fromEntries(
  [...Map.groupBy(functions, (one) => signatureOf(writableBy(needsOf(one)))).values()].flatMap((alike) => {
    const [first] = alike;
    if (!first || writableBy(needsOf(first)).size === 0) return [];
    const title = `${alike.length > 1 ? 'a role' : 'the role'} of ${alike.map(({ id }) => `\`${id}\``).join(', ')} over what the thief had`;
    return [[title, ended('role', () => needsOf(first))]];
  }),
);

const ALL_THEFTS: Readonly<Record<string, Theft>> = {
  ...THEFTS,
  ...ROLE_THEFTS,
  'the policy of support over what the thief had': {
    ...ended('support', () => needsOfGroup('support')),
    runsCommands: true,
  },
};

export interface Start {
  readonly theft: string;
  readonly owner: Owner;
  readonly hasPasskey: boolean;
  readonly settings: SettingsName;
  readonly row: Row;
}

/** Every start: each theft from each kind of owner, under each setting. */
export const STARTS: readonly Start[] = Object.entries<Theft>(ALL_THEFTS).flatMap(
  ([theft, { row, owners, withPasskey, ended }]) =>
    owners.flatMap((owner) =>
      [true, false]
        .filter((hasPasskey) => (hasPasskey ? owner !== 'machine' : !withPasskey))
        .flatMap((hasPasskey) =>
          (ended ? (['offered'] as const) : (Object.keys(SETTINGS) as SettingsName[])).map((settings) => ({
            theft,
            owner,
            hasPasskey,
            settings,
            row: owner === 'administrator' && row !== 'logs' ? ('administrator' as const) : row,
          })),
        ),
    ),
);

/** The start without a theft, whose powers every account has. */
export const isNothing = ({ theft }: Start) => theft === 'nothing';

export const titleOf = ({ theft, owner, hasPasskey, settings }: Start) =>
  `${theft} of ${/^[aeiou]/.test(owner) ? 'an' : 'a'} ${owner} ${hasPasskey ? 'with' : 'without'} a passkey, \`${settings}\``;

const bases = new Map<string, Promise<State>>();

/** More IDs than an account has. */
const MAX_IDS = 100;

/** A table with the people, the machine if there is one, their passwords, passkeys and tokens. */
async function build(service: Service, world: World, { owner, hasPasskey, settings }: Start): Promise<State> {
  const setting = SETTINGS[settings];
  const people = actingOn(service, setting);
  const rolesOf: Readonly<Record<Person, readonly string[]>> = {
    owner: OWNERS[owner],
    colleague: ['sys_tokens'],
    administrator: OWNERS.administrator,
    thief: [],
  };
  setClock(START);
  await world.clear();
  const create = async (name: Name, input: Partial<NewAccount>) => {
    // A device remembers the ID of its account: people have the same in each table.
    let ids = NAMES.indexOf(name) * MAX_IDS;
    const uuid = () => uuidOf(++ids);
    await createAccount({ ...service.runtime, uuid }, { ...input, username: name });
    await people.token(name, 'laptop');
  };
  const machine: Name | undefined =
    owner === 'machine' ? 'owner' : owner === 'administrator' ? MACHINE : undefined;
  for (const name of PEOPLE.filter((one) => one !== machine)) {
    await create(name, { password: passwordOf(name), roles: [...rolesOf[name]] });
    if (hasPasskey || name !== 'owner') await people.enrol(name);
  }
  if (machine) {
    await create(machine, { kind: 'machine', owner: 'administrator', roles: [...OWNERS.machine] });
    const { status, payload } = await people.trust(machine);
    if (status !== 200) throw new Error(`trust: ${JSON.stringify(payload)}`);
  }
  // The sessions of that day have ended.
  setClock(THEFT_AT);
  return world.begin(setting, THEFT_AT, []);
}

/** A start, and what the table had before. */
export interface Begun {
  readonly state: State;
  readonly past: readonly Snapshot[];
}

export const theftOf = ({ theft }: Start) => ALL_THEFTS[theft] as Theft;

/** The state after a theft. The thief also has an ordinary account, with a passkey, as far as its domain has not moved. */
export async function startOf(service: Service, world: World, start: Start): Promise<Begun> {
  const { owner, hasPasskey, settings } = start;
  const id = `${owner} ${hasPasskey} ${settings}`;
  const base = (await (bases.get(id) ?? bases.set(id, build(service, world, start)).get(id))) as State;
  await world.enter(base);
  const people = actingOn(service, SETTINGS[settings]);
  const { steal, moved, ended } = theftOf(start);
  // Somebody who has no token either.
  if (moved)
    await world.service.command(['token', 'revoke', '--all', 'owner', '--yes'], {
      functions: [],
      operators: [],
    });
  const stolen = await steal(people);
  const own: Secret = {
    kind: 'device',
    of: 'thief',
    value: deviceFor('thief', 'thief').device.id,
    about: '',
    works: true,
  };
  // Whoever may meet a machine has jobs of its own on the platform.
  const jobs =
    owner === 'machine' || owner === 'administrator' ? [await platformSecret('thief', THEFT_AT)] : [];
  const loot = moved ? stolen : [...stolen, await people.assert('thief'), own, ...jobs];
  const setting = { ...SETTINGS[settings], ...(moved && MOVED) };
  const state = await world.begin(setting, base.time, loot);
  if (!ended) return { state, past: [] };
  const operators = await applyRemedy(world, state, { ...start, row: 'password' });
  return {
    state: await world.observe({ ...state, operators, last: undefined }),
    past: [base.snapshot, state.snapshot],
  };
}
