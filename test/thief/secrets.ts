import bcrypt from 'bcryptjs';
import { decodeJwt, type JWTPayload } from 'jose';
import { refusalOfCode } from '#lib/account/open-code';
import { authenticator } from '#lib/auth/authenticate';
import { type Account, barOf, enrolmentOf, hasTrust, isMachine } from '#lib/item/account';
import { type CredentialLimits, limitsOf, tokenIn } from '#lib/item/token';
import { passkeyIdOf } from '#lib/passkey/passkey';
import type { Runtime } from '#lib/runtime';
import { isRecent, type Session } from '#lib/session/session-token';
import { accountKey, codeKey, passkeyKey, passwordKey, tokenKey, trustKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import type { Table } from '#lib/table/table';
import { hashApiToken } from '#lib/token/secret';
import { GRANT_SKEW_SECONDS, mismatchesOf } from '#lib/trust/mismatch';
import { type Authenticator, newAuthenticator } from '../authenticator.ts';
import { isElsewhere } from './elsewhere.ts';
import { CHOOSERS, NAMES, type Name, passwordOf } from './people.ts';
import { issuer, platformToken } from './platform.ts';
import { ADDRESS, type Setting } from './service.ts';

/** Something that proves an account to the service. */
export interface Secret {
  readonly kind:
    | 'session'
    | 'token'
    | 'password'
    | 'code'
    | 'device'
    | 'platform token'
    | 'token for another service';
  readonly of: Name;
  readonly value: string;
  /** Words for its limits and its origin; secrets with the same words are alike. */
  readonly about: string;
  /** Its limits, in words; absent without one. */
  readonly limits?: string;
  /** Of a session: the time of the proof that makes it recent, in seconds since the epoch. */
  readonly proven?: number;
  readonly level?: 1 | 2;
  /** Whether it worked when it was last tried. */
  readonly works: boolean;
  /** Whether it has ended for good: it did not work although nothing barred its account. */
  readonly ended?: true;
}

/** Age from which a session is no longer recent, in seconds. */
const RECENT = 300;

/** A device with a passkey of an account, and who has it. */
interface Held {
  readonly device: Authenticator;
  readonly of: Name;
  readonly holder: Name;
}

/** Devices by the ID of their passkey. */
export const devices = new Map<string, Held>();

export const heldBy = (holder: Name, of: Name) =>
  [...devices.values()].find((one) => one.of === of && one.holder === holder);

/** The one device that somebody uses for an account, so that a removed passkey may be created again. */
export function deviceFor(holder: Name, of: Name): Held {
  const known = heldBy(holder, of);
  if (known) return known;
  const held: Held = { device: newAuthenticator(), of, holder };
  devices.set(passkeyIdOf(held.device.id), held);
  return held;
}

/**
 * The answer of a device to options. A real one asserts a passkey only for the domain that it was created for, which the table
 * of the state has: a device has no memory of other states.
 */
export async function answerOf(
  table: Table,
  { device }: Held,
  options: object,
  { ApiUrl }: Setting,
  creates: boolean,
) {
  const origin = ApiUrl || 'http://localhost';
  if (creates) return device.create(options, { origin });
  const passkey = await get(table, passkeyKey(passkeyIdOf(device.id)));
  return device.get(options, { origin, rpId: passkey?.rp_id ?? new URL(origin).hostname });
}

const limitsText = ({ access, roles, addresses, expires_at }: CredentialLimits) =>
  [
    access && 'read-only',
    roles && `roles [${roles.join(' ')}]`,
    addresses && 'addresses',
    expires_at && 'with an end',
  ]
    .filter(Boolean)
    .join(', ');

const claimsOf = (jwt: string) =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as Session & {
    readonly iat: number;
  };

/** A session, by its token. */
export function sessionIn(value: string): Secret {
  const { name, amr = [], auth_time, iat, pid, tid, fid, limits = {} } = claimsOf(value);
  const level = auth_time === undefined ? 1 : 2;
  const by = pid ? 'a passkey' : fid ? 'a trust' : tid ? 'token' : amr.includes('otp') ? 'code' : 'password';
  const about = [`level ${level} by ${by}`, limitsText(limits)].filter(Boolean).join(', ');
  return {
    kind: 'session',
    of: name as Name,
    value,
    about,
    limits: limitsText(limits),
    level,
    proven: auth_time ?? iat,
    works: true,
  };
}

/** An API token; undefined if the table has no such token. */
export async function tokenOf({ table }: Pick<Runtime, 'table'>, value: string): Promise<Secret | undefined> {
  const item = tokenIn(await get(table, tokenKey(hashApiToken(value))));
  return (
    item && {
      kind: 'token',
      of: item.username as Name,
      value,
      about: limitsText(limitsOf(item)) || 'full',
      limits: limitsText(limitsOf(item)),
      works: true,
    }
  );
}

/** A token for another service, by its text; it works here as little as nothing. */
async function elsewhereIn({ table }: Pick<Runtime, 'table'>, value: string): Promise<Secret> {
  const { sub = '', roles } = decodeJwt<{ readonly roles: readonly string[] }>(value);
  const accounts = await Promise.all(NAMES.map((name) => get(table, accountKey(name))));
  const of = NAMES[accounts.findIndex((account) => (account as Account | undefined)?.id === sub)] as Name;
  return { kind: 'token for another service', of, value, about: `roles [${roles.join(' ')}]`, works: false };
}

/** The secrets in an answer, by their forms alone: a contract that is added answers no others. */
export async function secretsIn(runtime: Pick<Runtime, 'table'>, payload: unknown): Promise<Secret[]> {
  const text = typeof payload === 'string' ? payload : JSON.stringify(payload ?? '');
  const signed = text.match(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g) ?? [];
  const sessions = signed.filter((jwt) => !isElsewhere(jwt));
  const elsewhere = signed.filter(isElsewhere).map((jwt) => elsewhereIn(runtime, jwt));
  const tokens = await Promise.all((text.match(/cst_\w+/g) ?? []).map((value) => tokenOf(runtime, value)));
  // No part of a UUID.
  const codes = text.match(/(?<![\w-])(?:[0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}(?![\w-])/g) ?? [];
  const { data } = (payload ?? {}) as { readonly data?: { readonly username?: Name } };
  return [
    ...sessions.map(sessionIn),
    ...(await Promise.all(elsewhere)),
    ...tokens.filter((one) => one !== undefined),
    ...codes.map(
      (value): Secret => ({ kind: 'code', of: data?.username as Name, value, about: '', works: true }),
    ),
  ];
}

/** Whether a trust of a machine accepts the token of a platform. */
async function isTrusted({ table, now }: Runtime, grant: JWTPayload): Promise<boolean> {
  for (const name of NAMES) {
    const account = (await get(table, accountKey(name))) as Account | undefined;
    if (!account || !isMachine(account) || barOf(account, now())) continue;
    for (const trustName of Object.keys(account.trusts ?? {})) {
      const trust = await get(table, trustKey(name, trustName));
      if (!trust || !hasTrust(account, trust.trust_id)) continue;
      if (mismatchesOf(grant, issuer, trust, { now: now(), audience: '' }).length === 0) return true;
    }
  }
  return false;
}

/** A secret of the platform by which a job of somebody proves itself, from a time. */
export const platformSecret = async (of: Name, at: number): Promise<Secret> => ({
  ...{ kind: 'platform token', of, value: await platformToken(of, at), about: '', works: true },
});

/** Whether somebody has more than an own account by a secret: the token of an own job works only where a machine trusts it. */
export const isGain = ({ works, of, kind }: Secret, holder: Name = 'thief') =>
  works && (of !== holder || kind === 'platform token');

/** Tries secrets by the rules themselves. One authenticator serves all: it remembers signatures and owners, no decisions. */
export function trying(runtime: Runtime) {
  const authenticate = authenticator(runtime);
  const { table, now } = runtime;

  /** Whether a secret works now; and whether something bars its account, so that it may work again. */
  return async ({
    kind,
    value,
    of,
  }: Secret): Promise<{ readonly works: boolean; readonly isBarred: boolean }> => {
    const account = (await get(table, accountKey(of))) as Account | undefined;
    const grant = kind === 'platform token' ? decodeJwt(value) : {};
    // A trust that does not exist yet may accept the token of a platform, until it expires.
    const isBarred =
      kind === 'platform token'
        ? (grant.exp ?? 0) + GRANT_SKEW_SECONDS > now() / 1000
        : barOf(account, now()) !== undefined;
    const works = async () => {
      // A token for another service is tried like a session: it must never work here.
      if (kind === 'session' || kind === 'token' || kind === 'token for another service') {
        const credential = { kind: kind === 'token' ? 'api-token' : 'jwt', value, address: ADDRESS } as const;
        return authenticate(credential).then(
          () => true,
          () => false,
        );
      }
      if (kind === 'platform token') return isTrusted(runtime, grant);
      if (!account || isBarred) return false;
      if (kind === 'device') return enrolmentOf(account, passkeyIdOf(value)) !== undefined;
      if (kind === 'code')
        return (await refusalOfCode(runtime, account, await get(table, codeKey(of)), value)) === undefined;
      const stored = await get(table, passwordKey(of));
      return stored !== undefined && passwordIn(stored.hash, of) === value;
    };
    return { works: await works(), isBarred };
  };
}

const passwords = new Map<string, string>();

/** The password that a hash has; each is known, since people and thieves choose those of {@link passwordOf}. */
export function passwordIn(hash: string, of: Name): string {
  const known = passwords.get(hash);
  if (known !== undefined) return known;
  const found =
    [of, ...NAMES]
      .flatMap((name) => CHOOSERS.map((by) => passwordOf(name, by)))
      .find((text) => bcrypt.compareSync(text, hash)) ?? 'unknown';
  passwords.set(hash, found);
  return found;
}

/** The header that presents a credential. */
export const presenting = ({ kind, value }: Secret) => `${kind === 'token' ? 'Token' : 'Bearer'} ${value}`;

export const isCredential = ({ kind }: Secret) => kind === 'session' || kind === 'token';

/** Words for a secret, whatever its age. */
export const kindOf = ({ kind, of, about }: Secret, age = '') =>
  `${kind} of ${of}${about ? ` (${about}${age})` : ''}`;

/** Words for a secret, the same for those that are alike. */
export const wordsOf = (secret: Secret, now: number): string =>
  kindOf(secret, secret.proven !== undefined && !isRecent(secret.proven, RECENT, now) ? ', older' : '');
