import { removeMemberships } from '#lib/account/memberships';
import { resetStamp } from '#lib/account/reset-stamp';
import { PRINCIPALS, type Principal } from '../../../infra/principals.ts';
import { inParallel } from '../../in-parallel.ts';
import { admin, type Call, createUser, get, logIn, post, target, type User } from '../service.ts';
import { PING } from './ways.ts';

const ROLES = ['sys_tokens', 'sys_administrator'] as const;
const KINDS = ['plain', 'owner', ...ROLES] as const;
type Kind = (typeof KINDS)[number];

/** What happens to an account a moment before, and what that makes of its two credentials. */
interface Change {
  readonly act: (user: User) => Promise<unknown>;
  readonly token: (kind: Kind) => Principal;
  readonly session: (kind: Kind) => Principal;
}

const asBefore = (kind: Kind): Principal => PRINCIPALS[kind];
const ended = () => PRINCIPALS.ended;
const robbed = () => PRINCIPALS.robbed;
const verb =
  (name: string) =>
  ({ username }: User) =>
    post(`/api/core/account/${name}/${username}`, admin);
const rob = async ({ account }: User) => {
  const roles = ['sys_tokens', 'sys_administrator'];
  await removeMemberships((await target()).runtime.table, account, { roles, apps: [], teams: [] });
};

const CHANGES: Readonly<Record<string, Change>> = {
  unchanged: { act: async () => {}, token: asBefore, session: asBefore },
  locked: { act: verb('lock'), token: ended, session: ended },
  cancelled: { act: verb('cancel'), token: ended, session: ended },
  'robbed of its role': { act: rob, token: robbed, session: robbed },
  'given a new stamp': {
    act: async ({ account }) => resetStamp((await target()).runtime, account),
    token: asBefore,
    session: ended,
  },
};

/** One who makes a request, and what the table calls it. */
export interface Caller {
  readonly name: string;
  readonly principal: Principal;
  /** The account itself; nobody has none. */
  readonly user?: User;
  readonly credential: Call;
}

/** Every kind of account, after every change, by each of its credentials; each has been used before the change. */
export async function openCallers(): Promise<readonly Caller[]> {
  const all = Object.entries(CHANGES).flatMap(([what, change]) =>
    (change.token === robbed ? ROLES : KINDS).map((kind) => ({ what, change, kind })),
  );
  const made = await inParallel(all, async ({ what, change, kind }) => {
    const roles = kind === 'sys_tokens' || kind === 'sys_administrator' ? [kind] : [];
    const of = async (via: 'token' | 'session'): Promise<Caller> => {
      const { user, credential } = await newCaller(roles, via);
      await change.act(user);
      return { name: `${kind}, ${what}, by ${via}`, principal: change[via](kind), user, credential };
    };
    return [await of('token'), await of('session')];
  });
  const misled = async (via: 'token' | 'session'): Promise<Caller> => ({
    name: `sys_administrator on nobody, by ${via}`,
    principal: PRINCIPALS.misled,
    ...(await newCaller(['sys_administrator'], via)),
  });
  const nobody = { name: 'nobody', principal: PRINCIPALS.nobody, credential: {} };
  return [nobody, ...made.flat(), await misled('token'), await misled('session')];
}

async function newCaller(roles: string[], via: 'token' | 'session') {
  const user = await createUser({ roles });
  await user.token('first');
  const token = await user.token();
  const credential: Call = via === 'token' ? { token } : { jwt: await logIn('api', token) };
  const { status } = await get(PING, credential);
  if (status !== 200) throw new Error(`A new ${via} was answered ${status}`);
  return { user, credential };
}
