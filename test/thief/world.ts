import type { Settings } from '#lib/instance/settings';
import { HOUR_MS, MINUTE_MS } from '#lib/time';
import { setClock } from './clock.ts';
import { excessOf } from './excess.ts';
import { factsIn, factsOf } from './facts.ts';
import { NAMES, type Name } from './people.ts';
import { type Secret, secretsIn, trying, wordsOf } from './secrets.ts';
import type { Reply, Service, Setting } from './service.ts';
import { isPassing, type Snapshot, snapshotsOf } from './snapshot.ts';

/** A state of the world: the table, the clock, the settings, and what everybody holds. */
export interface State {
  readonly snapshot: Snapshot;
  readonly time: number;
  readonly setting: Setting;
  /** What the thief holds. */
  readonly loot: readonly Secret[];
  /** Audit lines since the theft: of functions, and of operators. */
  readonly lines: readonly string[];
  readonly operators: readonly string[];
  readonly facts: readonly string[];
  /** The steps that led here, as a list from the last one. */
  readonly last?: { readonly words: string; readonly before: State } | undefined;
  readonly depth: number;
}

/** What a step has done besides its changes of the table. */
export interface Done {
  readonly ok: boolean;
  /** Whether the role of the caller, or the access of its credential, was refused, which no input can change. */
  readonly lacksRole?: boolean;
  /** Secrets that the thief has now. */
  readonly learned?: readonly Secret[];
  readonly later?: number;
  readonly setting?: Setting;
  readonly operators?: readonly string[];
}

/** A step from a state: a request, a command, a write, or a move of the people. */
export interface Step {
  readonly words: string;
  /** The accounts whose facts decide it. */
  readonly about: readonly Name[];
  /** Steps that are refused for want of a role if one of them is. */
  readonly group: string;
  /** What the thief can do if it succeeds. */
  readonly power?: string | undefined;
  /** It changes nothing. */
  readonly isRead?: boolean;
  /** It is made of several requests or writes, of which the last may be refused. */
  readonly isMove?: true;
  /** Its outcome depends on more than facts. */
  readonly isUnique?: true;
  readonly take: () => Promise<Done>;
}

/** The state after a step, and what came of it that must not. */
export interface Taken {
  readonly state: State;
  readonly revived: readonly string[];
  /** What tokens for other services have beyond the credentials that the thief holds. */
  readonly excess: readonly string[];
}

/** Secrets that other accounts decide, too: who has made the code, or trusts the job. */
const SHARED: readonly Secret['kind'][] = ['code', 'platform token'];

/** Keys of the items that differ between two contents, except those that only count. */
const changedKeys = (before: Snapshot, after: Snapshot): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter(
    (key) => before.get(key) !== after.get(key) && !isPassing(key),
  );

/** Times that pass: a session is no longer recent; a session has ended. */
export const AFTER = { minutes: 6 * MINUTE_MS, day: 25 * HOUR_MS };

export type World = ReturnType<typeof worldOf>;

/** Moves between states of one service. */
export function worldOf(service: Service) {
  const snapshots = snapshotsOf(service.engine, service.table.name);
  const isWorking = trying(service.runtime);
  let present: State | undefined;

  /**
   * Tries the loot again whose account, or whose item, has changed. Secrets with the same words are one: the latest of those that
   * work, and of those that have ended.
   */
  async function tried(
    before: readonly Secret[],
    given: readonly Secret[],
    now: number,
    isTouched: (secret: Secret) => boolean,
  ) {
    const revived: string[] = [];
    const isGiven = (secret: Secret) =>
      given.some(({ kind, value }) => kind === secret.kind && value === secret.value);
    const tryAgain = async (secret: Secret): Promise<Secret> => {
      if (!isTouched(secret) && !given.includes(secret)) return secret;
      const { works, isBarred } = await isWorking(secret);
      const { ended: had, ...rest } = secret;
      if (works && had && !given.includes(secret)) revived.push(wordsOf(secret, now));
      const ended = (had && !works) || (!works && (secret.kind === 'session' || !isBarred));
      return { ...rest, works, ...(ended && { ended }) };
    };
    const all = await Promise.all([...before.filter((secret) => !isGiven(secret)), ...given].map(tryAgain));
    const alike = new Map(all.map((secret) => [`${wordsOf(secret, now)} ${secret.works}`, secret]));
    return { loot: [...alike.values()], revived };
  }

  async function observed(
    part: Omit<State, 'facts' | 'loot' | 'snapshot'>,
    before: readonly Secret[],
    given: readonly Secret[],
    from?: State,
  ): Promise<{ readonly state: State; readonly revived: readonly string[] }> {
    const snapshot = await snapshots.take();
    const changed = from && from.time === part.time ? changedKeys(from.snapshot, snapshot) : undefined;
    const isTouched = ({ kind, of }: Secret) =>
      !changed ||
      changed.some((key) => key.startsWith('TOKEN#') || SHARED.includes(kind) || key.includes(`#${of}\n`));
    const { loot, revived } = await tried(before, given, part.time, isTouched);
    const { SecondFactor, AdministratorTokens, ApiUrl } = part.setting;
    const facts = [
      ...factsIn(snapshot, part.time),
      ...factsOf('thief', loot, part.time),
      `world: ${SecondFactor} ${AdministratorTokens} ${ApiUrl}`,
    ];
    const state = { ...part, loot, snapshot, facts: [...new Set(facts)].sort() };
    present = state;
    return { state, revived };
  }

  return {
    service,
    /** The present content of the table as a first state. */
    begin: async (setting: Setting, time: number, loot: readonly Secret[]) => {
      service.takeLines();
      const part = { setting, time, lines: [], operators: [], depth: 0 };
      return (await observed(part, [], loot)).state;
    },
    /** Removes all accounts; what an execution environment reads once stays. */
    async clear() {
      const all = [...(await snapshots.take())];
      await snapshots.restore(
        new Map(all.filter(([key]) => /^(KEYS|RESOURCE_KEYS|CURSORS|CHALLENGES)/.test(key))),
      );
    },
    /** Makes a state the present one. */
    async enter(state: State) {
      if (present === state) return;
      await snapshots.restore(state.snapshot);
      setClock(state.time);
      present = state;
    },
    /** Takes a step from a state. @returns the state after it, or why there is none */
    async take(
      from: State,
      { words, take, isRead, isMove }: Step,
    ): Promise<Taken | 'refused' | 'lacks role' | 'read'> {
      await this.enter(from);
      service.takeLines();
      const {
        ok,
        lacksRole,
        learned = [],
        later = 0,
        setting = from.setting,
        operators = from.operators,
      } = await take();
      const lines = [...from.lines, ...service.takeLines()];
      if (ok && isRead) return 'read';
      if (!ok) {
        // A move of several requests may have gone half its way.
        if (isMove) {
          await snapshots.take();
          present = undefined;
        }
        return lacksRole ? 'lacks role' : 'refused';
      }
      const time = from.time + later;
      setClock(time);
      const excess = [];
      for (const secret of learned.filter(({ kind }) => kind === 'token for another service'))
        excess.push(await excessOf(service.runtime, from.setting as Settings, secret, from.loot));
      const part = { setting, time, lines, operators, last: { words, before: from }, depth: from.depth + 1 };
      const { state, revived } = await observed(part, from.loot, learned, from);
      return { state, revived, excess: excess.filter((text) => text !== undefined) };
    },
    /** Writes attributes of an item without a condition; an undefined value removes one. */
    write: snapshots.write,
    /** The present content of the table as what a state has become. */
    observe: async ({ setting, time, lines, operators, depth, loot }: State): Promise<State> =>
      (await observed({ setting, time, lines, operators, depth }, loot, [])).state,
    /** The secrets of an answer, with what its request gives. */
    learn: async ({ payload }: Reply, gives: readonly Secret[]) => [
      ...gives,
      ...(await secretsIn(service.runtime, payload)),
    ],
  };
}

/** The accounts that a state has. */
export const existingIn = ({ facts }: State): Name[] =>
  NAMES.filter((name) => facts.some((fact) => fact.startsWith(`${name}: isactive`)));

/** The steps that led to a state, in words. */
export function traceOf(state: State): string[] {
  const words: string[] = [];
  for (let at = state.last; at; at = at.before.last) words.unshift(at.words);
  return words;
}
