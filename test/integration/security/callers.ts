import { decodeJwt } from 'jose';
import { changeMemberships } from '#lib/account/memberships';
import { endSessions } from '#lib/account/reset-stamp';
import { endSession } from '#lib/account/sessions';
import { inParallel } from '#lib/in-parallel';
import type { Limits } from '#lib/item/token';
import { assign } from '#lib/table/expressions';
import { tokenKey } from '#lib/table/keys';
import { update } from '#lib/table/write';
import { hashApiToken } from '#lib/token/secret';
import { PRINCIPALS, type Principal } from '../../../infra/principals.ts';
import { administrator, type Call, createUser, get, logIn, target, type User } from '../service.ts';
import { PING } from './ways.ts';

const ROLES = ['sys_tokens', 'sys_introspection', 'sys_administrator'] as const;
type Kind = 'plain' | 'owner' | 'misled' | 'reader' | (typeof ROLES)[number];
/** Roles of callers whose credential is refused: without that refusal, an administrator could do the most. */
const ADMINISTRATOR = ['sys_administrator'] as const;
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
const renewStamp = async ({ account }: User) => endSessions((await target()).runtime, account);

const endIt = async ({ account }: User, { jwt }: Call) =>
  jwt && endSession((await target()).runtime, account, decodeJwt(jwt).jti as string);
const limitTo =
  (limits: () => Limits) =>
  async (_: User, { token }: Call) => {
    if (token === undefined) return;
    const { table } = (await target()).runtime;
    await update(table, { Key: tokenKey(hashApiToken(token)), ...assign(limits(), {}) });
  };

const CHANGES: Readonly<Record<string, Change>> = {
  unchanged: { kinds: ['plain', 'owner', 'misled', 'reader', ...ROLES] },
  locked: { act: ({ username }) => lock({ username }), kinds: ADMINISTRATOR, token: ended, session: ended },
  cancelled: {
    act: ({ username }) => cancel({ username }),
    kinds: ADMINISTRATOR,
    token: ended,
    session: ended,
  },
  'without its role': { act: loseRoles, kinds: ROLES, token: demoted, session: demoted },
  // Its session has the end that the token had at the login.
  'with an expired token': {
    act: limitTo(() => ({ expires_at: Date.now() })),
    kinds: ADMINISTRATOR,
    token: ended,
  },
  'with a token of another address': {
    act: limitTo(() => ({ addresses: ['192.0.2.0/24'] })),
    kinds: ADMINISTRATOR,
    token: ended,
  },
  'whose session ended': { act: endIt, kinds: ADMINISTRATOR, session: ended },
  'with a rotated token': {
    act: ({ username }) => administrator.token.rotate({ token_name: 'second', username }),
    kinds: ADMINISTRATOR,
    token: ended,
    session: ended,
  },
  'limited to no role': {
    limits: { roles: [] },
    kinds: ADMINISTRATOR,
    token: limited,
    session: limited,
  },
  'with a new stamp': { act: renewStamp, kinds: ADMINISTRATOR, session: ended },
};

/** A caller, and its column in the table of who may do what. */
export interface Caller {
  readonly name: string;
  readonly principal: Principal;
  /** Callers of the same group replace each other. */
  readonly group: string;
  /** Absent without an account. */
  readonly user?: User;
  readonly credential: Call;
  /** The same with another account. */
  readonly reopen: () => Promise<Caller>;
}

const NOBODY: Caller = {
  ...{ name: 'nobody', group: 'nobody', principal: PRINCIPALS.nobody, credential: {} },
  reopen: async () => NOBODY,
};

/** Opens a caller without credential, one of every kind, and those with a role after every change, by each credential. */
export async function openCallers(): Promise<readonly Caller[]> {
  const kinds = Object.entries(CHANGES).flatMap(([name, change]) =>
    change.kinds.flatMap((kind) => VIA.map((via) => ({ name, change, kind, via }))),
  );
  return [NOBODY, ...(await inParallel(kinds, open, 2))];
}

type KindOfCaller = { name: string; change: Change; kind: Kind; via: (typeof VIA)[number] };

async function open(of: KindOfCaller): Promise<Caller> {
  const { name, change, kind, via } = of;
  const principal: Principal = change[via] ?? PRINCIPALS[kind];
  const user = await createUser({ roles: [...PRINCIPALS[kind].roles] });
  await user.token('first');
  const limits = kind === 'reader' ? ({ access: 'read' } as const) : change.limits;
  const token = await user.token('second', limits);
  const credential: Call = via === 'token' ? { token } : { jwt: await logIn('api', token) };
  const { status } = await get(PING, credential);
  if (status !== 200) throw new Error(`A new ${via} was answered ${status}`);
  await change.act?.(user, credential);
  return {
    name: `${kind}, ${name}, by ${via}`,
    principal,
    group: principal.isAuthenticated ? principal.title : `${name}, by ${via}`,
    user,
    credential,
    reopen: () => open(of),
  };
}
