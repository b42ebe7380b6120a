import { decodeJwt } from 'jose';
import { rolesOf } from '#lib/account/caller';
import { refusalOf } from '#lib/auth/step-up';
import type { Settings } from '#lib/instance/settings';
import { type Account, barOf } from '#lib/item/account';
import { type CredentialLimits, limitsOf, tokenIn } from '#lib/item/token';
import { MAX_RESOURCE_MINUTES } from '#lib/resource/resources';
import type { Runtime } from '#lib/runtime';
import type { VerifiedSession } from '#lib/session/session-token';
import { accountKey, tokenKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { hashApiToken } from '#lib/token/secret';
import type { Name } from './people.ts';
import type { Secret } from './secrets.ts';

const accountOf = async ({ table }: Pick<Runtime, 'table'>, name: Name) =>
  (await get(table, accountKey(name))) as Account | undefined;

/** What a credential permits: its limits, its session if it is one, and its end in seconds since the epoch. */
async function permitsOf({ table }: Pick<Runtime, 'table'>, { kind, value }: Secret) {
  if (kind === 'session') {
    const session = decodeJwt<VerifiedSession>(value);
    return { limits: session.limits ?? {}, session, end: session.exp };
  }
  const item = kind === 'token' ? tokenIn(await get(table, tokenKey(hashApiToken(value)))) : undefined;
  const limits: CredentialLimits | undefined = item && limitsOf(item);
  return (
    limits && { limits, session: undefined, end: (limits.expires_at ?? Number.POSITIVE_INFINITY) / 1000 }
  );
}

/**
 * What a token for another service has beyond every credential that its thief holds.
 *
 * @param held by the thief when it asked for the token
 */
export async function excessOf(
  runtime: Pick<Runtime, 'table' | 'now'>,
  settings: Pick<Settings, 'SecondFactor' | 'AdministratorTokens'>,
  { of, value }: Secret,
  held: readonly Secret[],
): Promise<string | undefined> {
  const { roles, exp = Number.POSITIVE_INFINITY } = decodeJwt<{ roles: string[] }>(value);
  const now = runtime.now();
  const account = await accountOf(runtime, of);
  if (!account || barOf(account, now)) return 'an account that is barred';
  if (exp * 1000 > now + MAX_RESOURCE_MINUTES * 60_000) return 'a longer life than any may have';
  for (const secret of held.filter((one) => one.of === of && one.works)) {
    const { limits, session, end = 0 } = (await permitsOf(runtime, secret)) ?? {};
    if (!limits || limits.access || limits.addresses || exp > end) continue;
    const isConfirmed = !refusalOf(settings as Settings, account, session, now);
    const its = rolesOf(account, limits).filter((role) => isConfirmed || !role.startsWith('sys_'));
    if (roles.every((role) => its.includes(role))) return undefined;
  }
  return 'roles, a life or a use that no held credential has';
}
