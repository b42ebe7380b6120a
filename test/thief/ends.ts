import { GRANT_TYPES, TOKEN_TYPES } from '#lib/oauth/grant-types';
import { actingOn, contractOf, type People } from './acting.ts';
import { templatesOf } from './bodies.ts';
import { RESOURCE } from './elsewhere.ts';
import { CREATED, passwordOf } from './people.ts';
import { applyRemedy } from './remedy.ts';
import { isCredential, isGain, type Secret, wordsOf } from './secrets.ts';
import type { Start } from './starts.ts';
import type { State, World } from './world.ts';

/** A way to end a theft, and the thefts that it ends. */
interface End {
  readonly words: string;
  readonly ends: (start: Start) => boolean;
  readonly make: (world: World, state: State, start: Start) => Promise<unknown>;
  /** What it ends, if not everything. */
  readonly kinds?: readonly Secret['kind'][];
}

/** The last body of a contract: all of its switches are on. */
const switchedOn = (id: string) => {
  const bodies = templatesOf(contractOf(id)).filter((body) => body !== undefined);
  const entries = bodies
    .flatMap((body) => Object.entries(body as object))
    .filter(([, value]) => value === true);
  return Object.fromEntries(entries.filter(([name]) => name !== 'createCookie')) as Readonly<
    Record<string, true>
  >;
};

const ofInstance = ({ row }: Start) => row === 'role' || row === 'support';
const isMachine = ({ owner }: Start) => owner === 'machine';
const isPerson = (start: Start) =>
  !isMachine(start) && start.row !== 'administrator' && start.row !== 'logs' && !ofInstance(start);

const must = async (reply: ReturnType<People['send']>, what: string) => {
  const { status, payload } = await reply;
  if (status !== 200) throw new Error(`${what}: ${JSON.stringify(payload)}`);
  return payload as { readonly data: Readonly<Record<string, string>> };
};

/** The owner uses a code of the administrator, and ends whatever a request of its own can end. */
async function withCode(people: People) {
  const administrator = await people.assert('administrator');
  const username = 'owner';
  const { data } = await must(
    people.send('account.code', { params: { username }, json: switchedOn('account.code') }, administrator),
    'code',
  );
  const json = {
    username,
    code: data['code'],
    new_password: passwordOf(username, 'owner by a code'),
    ...switchedOn('account.password'),
  };
  const answer = await must(people.send('account.password', { json }), 'password');
  const session = { kind: 'session', value: String(answer.data['JWTtoken']) } as never;
  await must(people.send('token.revoke', { params: { username } }, session), 'revoke');
  await must(people.send('account.logout', {}, session), 'logout');
}

const isOthers = (secret: Secret) => secret.of !== 'thief' && isCredential(secret);

/** Whether a credential still gets a token for another service, as nothing would end it. */
async function getsElsewhere({ service }: World, { setting }: State, { value }: Secret): Promise<boolean> {
  const form = {
    ...{ grant_type: GRANT_TYPES.exchange, subject_token_type: TOKEN_TYPES.access },
    ...{ subject_token: value, resource: RESOURCE },
  };
  return (await actingOn(service, setting).send('oauth.token', { form })).status === 200;
}

const ENDS: readonly End[] = [
  {
    words: 'the remedy of its row',
    ends: (start) => start.row !== 'logs' && !ofInstance(start),
    make: applyRemedy,
  },
  {
    words: 'the remedy of its row',
    ends: ofInstance,
    make: applyRemedy,
    // What raw writes made of other kinds is of the rows of those things.
    kinds: ['session', 'token', 'code'],
  },
  {
    words: 'a code of the administrator, used by the owner, who revokes the tokens and logs out everywhere',
    ends: isPerson,
    async make({ service }, { setting, facts }) {
      const people = actingOn(service, setting);
      if (facts.includes('owner: isactive true') && !facts.includes('owner: locked')) await withCode(people);
    },
  },
  {
    words: 'a cancellation and a reactivation that ends all it can, and a new password',
    ends: isPerson,
    async make({ service }, { setting }) {
      const people = actingOn(service, setting);
      const administrator = await people.assert('administrator');
      const params = { username: 'owner' };
      await must(people.send('account.cancel', { params }, administrator), 'cancel');
      await must(
        people.send('account.reactivate', { params, json: switchedOn('account.reactivate') }, administrator),
        'reactivate',
      );
      const run = await service.command(
        ['account', 'password', 'owner', '--password-stdin'],
        { functions: [], operators: [] },
        passwordOf('owner', 'operator'),
      );
      if (run.code !== 0) throw new Error(run.stdout);
    },
  },
  {
    words: 'a revocation of its tokens',
    ends: isMachine,
    async make({ service }, { lines: functions, operators }) {
      const log = { functions, operators };
      const { code, stdout } = await service.command(['token', 'revoke', '--all', 'owner', '--yes'], log);
      if (code !== 0) throw new Error(stdout);
    },
    // Its trusts stay.
    kinds: ['session', 'token'],
  },
  {
    words: 'a deletion of the trusts by the administrator',
    ends: isMachine,
    async make({ service }, { setting }) {
      if (!(await actingOn(service, setting).endTrusts('owner'))) throw new Error('a deletion was refused');
    },
  },
];

/** What still works after an end, or what went wrong with it. */
export interface Left {
  readonly end: string;
  readonly what: string;
}

/** Ends a theft in every way, each from this state. @returns what is left to the thief after each */
export async function leftAfter(world: World, state: State, start: Start): Promise<Left[]> {
  const left: Left[] = [];
  for (const { words: end, ends, make, kinds } of ENDS) {
    if (!ends(start)) continue;
    await world.enter(state);
    // Until the end, so that an account which a function remembers is as it was.
    for (const secret of state.loot.filter(isOthers)) await getsElsewhere(world, state, secret);
    const failure = await make(world, state, start).then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (failure) left.push({ end, what: `it fails: ${failure}` });
    const after = await world.observe(state);
    for (const secret of after.loot)
      if (isGain(secret) && (kinds?.includes(secret.kind) ?? true))
        left.push({ end, what: `the ${wordsOf(secret, after.time)} works` });
    for (const secret of after.loot.filter(isOthers))
      if (await getsElsewhere(world, state, secret))
        left.push({ end, what: `the ${wordsOf(secret, after.time)} gets a token for another service` });
    if (kinds) continue;
    if (after.facts.includes(`${CREATED}: isactive true`))
      left.push({ end, what: 'the created account is active' });
    const roles = (name: string) => after.facts.find((fact) => fact.startsWith(`${name}: roles`));
    if (roles('thief') !== 'thief: roles []') left.push({ end, what: `thief keeps ${roles('thief')}` });
  }
  return left;
}
