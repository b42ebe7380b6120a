import { readAccount } from '#lib/account/account';
import { changeMemberships } from '#lib/account/memberships';
import { inParallel } from '#lib/async/in-parallel';
import type { Account } from '#lib/item/account';
import { createToken } from '#lib/token/create';
import { type RequestedTerms, termsOf } from '#lib/token/terms';
import { PRINCIPALS, type Principal } from '../../../infra/principals.ts';
import { administrator, type Call, createUser, get, logIn, noted, target, type User } from '../service.ts';

/** A kind of caller: the roles of its account, the limits of its token, and a change after its credential was used. */
interface Kind {
  readonly principal: Principal;
  readonly roles: Principal['roles'];
  readonly limits?: Partial<RequestedTerms>;
  readonly change?: (user: User) => Promise<unknown>;
}

const { nobody, ended, demoted, limited, reader, ...others } = PRINCIPALS;
const ROLES = ['sys_tokens', 'sys_introspection', 'sys_administrator'] as const;
const { roles: ofAdministrator } = others.sys_administrator;
const lock = ({ username }: User) => administrator.account.lock({ username });
const loseRoles = async ({ account }: User) =>
  changeMemberships((await target()).runtime, account, { remove: { roles: [...ROLES] } });

/** Without its refusal, an administrator could do the most. Other ends of credentials: test/unit/auth. */
const KINDS: readonly Kind[] = [
  ...Object.values(others).map((principal) => ({ principal, roles: principal.roles })),
  { principal: reader, roles: reader.roles, limits: { access: 'read' } },
  { principal: limited, roles: ofAdministrator, limits: { roles: [] } },
  { principal: ended, roles: ofAdministrator, change: lock },
  ...ROLES.map((role) => ({ principal: demoted, roles: [role], change: loseRoles })),
];

/** A caller, and its column in the table of who may do what. */
export interface Caller {
  readonly name: string;
  readonly principal: Principal;
  /** Absent without an account. */
  readonly user?: User;
  readonly credential: Call;
  /** The same with another account. */
  readonly reopen: () => Promise<Caller>;
}

const NOBODY: Caller = {
  ...{ name: 'nobody', principal: nobody, credential: {} },
  reopen: async () => NOBODY,
};

/** Opens a caller without credential, and one of every kind by each credential. */
export async function openCallers(): Promise<readonly Caller[]> {
  const all = KINDS.flatMap((kind) => (['token', 'session'] as const).map((via) => ({ kind, via })));
  return [NOBODY, ...(await inParallel(all, open, 2))];
}

/** Creates a token by its rule: hundreds of requests would take longer. */
async function createTokenOf({ username }: User, name: string, limits: Partial<RequestedTerms> = {}) {
  const { runtime } = await target();
  const account = (await readAccount(runtime.table, username)) as Account;
  const terms = termsOf(runtime, account, limits);
  const { value } = await createToken(runtime, account, name, { by: 'admin', requestId: 'r' }, terms);
  return noted(value as string);
}

async function open(of: { readonly kind: Kind; readonly via: 'token' | 'session' }): Promise<Caller> {
  const { principal, roles, limits, change } = of.kind;
  const user = await createUser({ roles: [...roles] });
  await createTokenOf(user, 'first');
  const token = await createTokenOf(user, 'second', limits);
  const credential: Call = of.via === 'token' ? { token } : { jwt: await logIn('api', token) };
  const { status } = await get('/api/core/system/ping', credential);
  if (status !== 200) throw new Error(`A new ${of.via} was answered ${status}`);
  await change?.(user);
  const name = `${principal.title} (${roles}), by ${of.via}`;
  return { name, principal, user, credential, reopen: () => open(of) };
}
