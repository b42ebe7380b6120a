import { actingOn, type People } from './acting.ts';
import { NAMES, type Name, passwordOf } from './people.ts';
import { heldBy, type Secret } from './secrets.ts';
import type { Service } from './service.ts';
import { OWNERS, type Start } from './starts.ts';
import { AFTER, type Done, type State, type Step } from './world.ts';

/** A move of people who know nothing of the theft, or who begin to end it. */
interface Move {
  readonly words: string;
  readonly about: readonly Name[];
  /** Whether the people would make it: it changes something. */
  readonly when: (state: State, start: Start) => boolean;
  /** Whether it gives a stolen device of the owner its passkey again. */
  readonly enrols?: true;
  /** @returns whether the service permitted it */
  readonly make: (people: People, start: Start) => Promise<boolean>;
}

const has = ({ facts }: State, fact: string) => facts.includes(fact);
const isActive = (state: State) => has(state, 'owner: isactive true') && !has(state, 'owner: locked');
const rolesFact = (roles: readonly string[]) => `owner: roles ${JSON.stringify([...roles].sort())}`;

/** The best session that the owner can get. */
const ownSession = async (people: People): Promise<Secret> =>
  people
    .assert('owner')
    .catch(() => people.logIn('owner'))
    .catch(() => people.logIn('owner', passwordOf('owner', 'owner again')));

const asked = async (reply: ReturnType<People['send']>) => (await reply).status === 200;

const BY_ADMINISTRATOR: readonly Move[] = [
  {
    words: 'the administrator gives the owner its roles back',
    about: ['owner'],
    when: (state, { owner }) => has(state, 'owner: isactive true') && !has(state, rolesFact(OWNERS[owner])),
    make: async (people, { owner }) =>
      asked(
        people.send(
          'account.access',
          { params: { username: 'owner' }, json: { add: { roles: OWNERS[owner] } } },
          await people.assert('administrator'),
        ),
      ),
  },
  {
    words: 'the administrator unlocks the owner',
    about: ['owner'],
    when: (state) => has(state, 'owner: locked'),
    make: async (people) =>
      asked(
        people.send(
          'account.unlock',
          { params: { username: 'owner' } },
          await people.assert('administrator'),
        ),
      ),
  },
  {
    words: 'the administrator reactivates the owner',
    about: ['owner'],
    when: (state) => has(state, 'owner: isactive false'),
    make: async (people) =>
      asked(
        people.send(
          'account.reactivate',
          { params: { username: 'owner' } },
          await people.assert('administrator'),
        ),
      ),
  },
];

const BY_OWNER: readonly Move[] = [
  {
    words: 'the owner logs out everywhere',
    about: ['owner'],
    when: isActive,
    make: async (people) => asked(people.send('account.logout', {}, await ownSession(people))),
  },
  {
    words: 'the owner changes the password',
    about: ['owner'],
    when: (state) => isActive(state) && has(state, 'owner: password chosen by owner'),
    make: async (people) => {
      const json = {
        current_password: passwordOf('owner'),
        new_password: passwordOf('owner', 'owner again'),
      };
      return asked(people.send('account.password', { json }, await people.logIn('owner')));
    },
  },
  {
    words: 'the owner revokes all own tokens',
    about: ['owner'],
    when: isActive,
    make: async (people) =>
      asked(people.send('token.revoke', { params: { username: 'owner' } }, await ownSession(people))),
  },
  {
    words: 'the owner creates the own passkey',
    enrols: true,
    about: ['owner'],
    when: (state) =>
      isActive(state) &&
      !state.facts.some((fact) => fact.startsWith('owner: passkeys') && fact.includes("owner's device")),
    make: async (people) => people.enrol('owner', await ownSession(people)).then(() => true),
  },
  {
    words: 'the owner removes the passkey that it does not know',
    about: ['owner'],
    when: (state) =>
      isActive(state) &&
      state.facts.some((fact) => fact.startsWith('owner: passkeys') && fact.includes("thief's device")),
    make: async (people) => {
      const by = await ownSession(people);
      const names = await people.passkeys(by);
      const unknown = names.filter(({ created_at }) => created_at > people.theftAt);
      const replies = await Promise.all(
        unknown.map(({ name }) =>
          people.send('account.passkey-delete', { params: { passkey_name: name } }, by),
        ),
      );
      return replies.length > 0 && replies.every(({ status }) => status === 200);
    },
  },
];

const hasTrusts = ({ facts }: State) => facts.some((fact) => fact.startsWith('owner: trust '));

/** What the administrator does about a machine, which does nothing itself. */
const ABOUT_MACHINE: readonly Move[] = [
  {
    words: 'the administrator deletes the trusts of the machine',
    about: ['owner'],
    when: hasTrusts,
    make: (people) => people.endTrusts('owner'),
  },
  {
    words: 'the administrator creates the trust of the machine',
    about: ['owner'],
    when: (state) => isActive(state) && !hasTrusts(state),
    make: (people) => asked(people.trust('owner')),
  },
  {
    words: 'the administrator revokes the tokens of the machine',
    about: ['owner'],
    when: isActive,
    make: async (people) =>
      asked(
        people.send('token.revoke', { params: { username: 'owner' } }, await people.assert('administrator')),
      ),
  },
];

const ownDevice = ({ loot }: State) =>
  loot.filter(({ kind, value }) => kind === 'device' && value === heldBy('owner', 'owner')?.device.id);

const PASSING: readonly {
  readonly words: string;
  readonly later: number;
  readonly when: (state: State) => boolean;
}[] = [
  {
    words: 'six minutes pass',
    later: AFTER.minutes,
    when: ({ loot, time }) => loot.some(({ works, proven = 0 }) => works && time / 1000 - proven < 300),
  },
  {
    words: 'a day passes',
    later: AFTER.day,
    when: ({ loot }) => loot.some(({ works, kind, of }) => works && kind === 'session' && of !== 'thief'),
  },
];

/** The moves of the people from a state, and the passing of time. */
export function* movesFrom(service: Service, state: State, start: Start): Generator<Step> {
  const people = actingOn(service, state.setting);
  const moves = [...BY_ADMINISTRATOR, ...(start.owner === 'machine' ? ABOUT_MACHINE : BY_OWNER)];
  for (const { words, about, when, make, enrols } of moves)
    if (when(state, start))
      yield {
        words,
        group: words,
        about,
        isMove: true,
        // A person who is refused, or has no way in, makes no move.
        take: (): Promise<Done> =>
          make(people, start).then(
            (ok) => ({ ok, learned: enrols ? ownDevice(state) : [] }),
            () => ({ ok: false }),
          ),
      };
  for (const { words, later, when } of PASSING)
    if (when(state))
      yield {
        words,
        group: words,
        about: NAMES,
        take: async () => ({ ok: true, later }),
      };
}
