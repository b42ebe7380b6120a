import { decodeJwt } from 'jose';
import { changeMemberships } from '#lib/account/memberships';
import { resetStamp } from '#lib/account/reset-stamp';
import { endSession } from '#lib/account/sessions';
import { inParallel } from '#lib/in-parallel';
import { assign } from '#lib/table/expressions';
import { tokenKey } from '#lib/table/keys';
import { update } from '#lib/table/write';
import { hashApiToken } from '#lib/token/secret';
import { PRINCIPALS, type Principal } from '../../../infra/principals.ts';
import { administrator, type Call, createUser, get, logIn, target, type User } from '../service.ts';
import { PING } from './ways.ts';

const ROLES = ['sys_tokens', 'sys_introspection', 'sys_administrator'] as const;
type Kind = 'plain' | 'owner' | 'misled' | 'reader' | (typeof ROLES)[number];
const VIA = ['token', 'session'] as const;

/** A change of an account whose credential was used before, and what its token and its session are then. */
interface Change {
  /** Limits of its token. */
  readonly limits?: { readonly roles: string[] };
  readonly act?: (user: User, credential: Call) => Promise<unknown>;
  readonly kinds: readonly Kind[];
  /** As before by default. */
  readonly token?: Principal;
  readonly session?: Principal;
}

const { ended, demoted, limited } = PRINCIPALS;
const { lock, cancel } = administrator.account;
const loseRoles = async ({ account }: User) => {
  await changeMemberships((await target()).runtime.table, account, { remove: { roles: [...ROLES] } });
};
const renewStamp = async ({ account }: User) => resetStamp((await target()).runtime, account);

const endIt = async ({ account }: User, { jwt }: Call) =>
  jwt && endSession((await target()).runtime, account, decodeJwt(jwt).jti as string);
const expire = async (_: User, { token }: Call) => {
  if (token === undefined) return;
  const { table } = (await target()).runtime;
  await update(table, { Key: tokenKey(hashApiToken(token)), ...assign({ expires_at: Date.now() }, {}) });
};

const CHANGES: Readonly<Record<string, Change>> = {
  unchanged: { kinds: ['plain', 'owner', 'misled', 'reader', ...ROLES] },
  locked: { act: ({ username }) => lock({ username }), kinds: ROLES, token: ended, session: ended },
  cancelled: { act: ({ username }) => cancel({ username }), kinds: ROLES, token: ended, session: ended },
  'without its role': { act: loseRoles, kinds: ROLES, token: demoted, session: demoted },
  // Its session has the end that the token had at the login.
  'with an expired token': { act: expire, kinds: ['sys_administrator'], token: ended },
  'whose session ended': { act: endIt, kinds: ROLES, session: ended },
  'limited to no role': {
    limits: { roles: [] },
    kinds: ['sys_administrator'],
    token: limited,
    session: limited,
  },
  'with a new stamp': { act: renewStamp, kinds: ROLES, session: ended },
};

/** A caller, and its column in the table of who may do what. */
export interface Caller {
  readonly name: string;
  readonly principal: Principal;
  /** Absent without an account. */
  readonly user?: User;
  readonly credential: Call;
  /** Whether it is the first of its column by its credential. */
  readonly isFirst: boolean;
}

const ALL = Object.entries(CHANGES).flatMap(([name, change]) =>
  change.kinds.flatMap((kind) =>
    VIA.map((via) => ({
      ...{ name: `${kind}, ${name}, by ${via}`, change, kind, via },
      principal: change[via] ?? PRINCIPALS[kind],
    })),
  ),
);

const isFirst = (one: (typeof ALL)[number]) =>
  one === ALL.find(({ via, principal }) => via === one.via && principal === one.principal);

/** Opens a caller without credential, one of every kind, and those with a role after every change, by each credential. */
export async function openCallers(all = true): Promise<readonly Caller[]> {
  const create = async (one: (typeof ALL)[number]): Promise<Caller> => {
    const { name, change, kind, via, principal } = one;
    const { roles } = PRINCIPALS[kind];
    const user = await createUser({ roles: [...roles] });
    await user.token('first');
    const limits = kind === 'reader' ? ({ access: 'read' } as const) : change.limits;
    const token = await user.token('second', limits);
    const credential: Call = via === 'token' ? { token } : { jwt: await logIn('api', token) };
    const { status } = await get(PING, credential);
    if (status !== 200) throw new Error(`A new ${via} was answered ${status}`);
    await change.act?.(user, credential);
    return { name, principal, user, credential, isFirst: isFirst(one) };
  };
  const callers = await inParallel(all ? ALL : ALL.filter(isFirst), create, 2);
  return [{ name: 'nobody', principal: PRINCIPALS.nobody, credential: {}, isFirst: true }, ...callers];
}
