import { removeMemberships } from '#lib/account/memberships';
import { resetStamp } from '#lib/account/reset-stamp';
import { PRINCIPALS, type Principal } from '../../../infra/principals.ts';
import { inParallel } from '../../unit/support/in-parallel.ts';
import { administrator, type Call, createUser, get, logIn, target, type User } from '../service.ts';
import { PING } from './ways.ts';

const ROLES = ['sys_tokens', 'sys_administrator'] as const;
type Kind = 'plain' | 'owner' | 'misled' | (typeof ROLES)[number];
const ALL: readonly Kind[] = ['plain', 'owner', ...ROLES];
const VIA = ['token', 'session'] as const;

/** A change of an account whose credential was used before, and what its token and its session are then. */
interface Change {
  readonly act?: (user: User) => Promise<unknown>;
  readonly kinds: readonly Kind[];
  /** As before by default. */
  readonly token?: Principal;
  readonly session?: Principal;
}

const { ended, demoted } = PRINCIPALS;
const { lock, cancel } = administrator.account;
const loseRoles = async ({ account }: User) => {
  const roles = [...ROLES];
  await removeMemberships((await target()).runtime.table, account, { roles, apps: [], teams: [] });
};
const renewStamp = async ({ account }: User) => resetStamp((await target()).runtime, account);

const CHANGES: Readonly<Record<string, Change>> = {
  unchanged: { kinds: [...ALL, 'misled'] },
  locked: { act: ({ username }) => lock({ username }), kinds: ALL, token: ended, session: ended },
  cancelled: { act: ({ username }) => cancel({ username }), kinds: ALL, token: ended, session: ended },
  'without its role': { act: loseRoles, kinds: ROLES, token: demoted, session: demoted },
  'with a new stamp': { act: renewStamp, kinds: ALL, session: ended },
};

/** A caller, and its column in the table of who may do what. */
export interface Caller {
  readonly name: string;
  readonly principal: Principal;
  /** Absent without an account. */
  readonly user?: User;
  readonly credential: Call;
}

/** Opens a caller without credential, and one of every kind, after every change, by each of its credentials. */
export async function openCallers(): Promise<readonly Caller[]> {
  const all = Object.entries(CHANGES).flatMap(([name, change]) =>
    change.kinds.flatMap((kind) =>
      VIA.map((via) => ({ name: `${kind}, ${name}, by ${via}`, change, kind, via })),
    ),
  );
  const callers = await inParallel(all, async ({ name, change, kind, via }): Promise<Caller> => {
    const { roles } = PRINCIPALS[kind];
    const user = await createUser({ roles: [...roles] });
    await user.token('first');
    const token = await user.token();
    const credential: Call = via === 'token' ? { token } : { jwt: await logIn('api', token) };
    const { status } = await get(PING, credential);
    if (status !== 200) throw new Error(`A new ${via} was answered ${status}`);
    await change.act?.(user);
    return { name, principal: change[via] ?? PRINCIPALS[kind], user, credential };
  });
  return [{ name: 'nobody', principal: PRINCIPALS.nobody, credential: {} }, ...callers];
}
