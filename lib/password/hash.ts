import crypto from 'node:crypto';
import { promisify } from 'node:util';
import { invalid } from '../failure/failure.ts';
import type { PasswordCost } from '../item/instance.ts';
import { costIn, costOf, isImported, type Pbkdf2, PRFS, type Prf, pbkdf2In, roundsOf } from './imported.ts';
import { MAX_BYTES, MIN_BYTES } from './length.ts';

/** Loaded for the first password: functions start without it. */
const bcrypt = async () => (await import('bcryptjs')).default;

/** Normalising takes quadratic time. In bytes, the limit of passwords with an imported hash. */
const MAX_RAW_LENGTH = 1024;

/** The spellings of a password, the normal form (Unicode NFKC) first; none for a text that cannot be one. */
function spellings(password: string): string[] {
  if (password.length > MAX_RAW_LENGTH || !password.isWellFormed() || password.includes('\0')) return [];
  return [...new Set([password.normalize('NFKC'), password])];
}

const fits = (text: string | undefined, max = MAX_BYTES): text is string =>
  text !== undefined && Buffer.byteLength(text) <= max;

/** Phantom property (type level only): distinguishes a {@link NewPassword} from any other text. */
declare const CHECKED: unique symbol;

/** A checked password in the normal form that is hashed. */
export type NewPassword = string & { readonly [CHECKED]: true };

/** A verified password in the normal form that is hashed, however short; undefined if bcrypt cannot read all of it. */
export function hashable(password: string): NewPassword | undefined {
  const [normal] = spellings(password);
  return fits(normal) ? (normal as NewPassword) : undefined;
}

/**
 * Whether a hash may have been verified with a part of a longer password: bcrypt of another service, and a spelling with
 * all the bytes that bcrypt reads. Our own hashes are of passwords that fit.
 */
export const mayBeCut = (password: string, hash: string): boolean =>
  costIn(hash).kind === 'imported' && !spellings(password).every((text) => fits(text, MAX_BYTES - 1));

/**
 * Checks and normalises a new password.
 *
 * @param field name of the field in the failure
 * @throws Failure `invalid_request` for a password that is too short, too long, malformed, or the username
 */
export function newPassword(password: string, username: string, field = 'password'): NewPassword {
  const normal = hashable(password);
  if (normal === undefined || Buffer.byteLength(normal) < MIN_BYTES)
    throw invalid(
      field,
      `Must have ${MIN_BYTES} to ${MAX_BYTES} bytes, without NUL; a letter such as é has two`,
    );
  if (normal.toLowerCase() === username.toLowerCase()) throw invalid(field, 'Must not be the username');
  return normal;
}

/**
 * Hashes a new password.
 *
 * @param cost bcrypt cost, 10 to 15
 */
export const hashPassword = async (password: NewPassword, cost: number): Promise<string> =>
  (await bcrypt()).hash(password, cost);

/**
 * Compares a password with a hash. The same work is done without a hash, with a hash of a lower cost, and for an
 * impossible password: the time reveals nothing. An imported hash is compared with the normal form, then with the
 * password as given; this doubles the work of imported hashes for all names. bcrypt reads only the first 72 bytes of a
 * password with an imported hash, as the service did that hashed it.
 *
 * @param cost bcrypt cost that every verification takes; a hash of a higher cost takes its own
 * @param imported costs of imported hashes that every verification takes as well
 */
export async function verifyPassword(
  password: string,
  hash: string | undefined,
  cost: number,
  imported: Partial<PasswordCost> = {},
): Promise<boolean> {
  const theirs = hash !== undefined && isImported(hash) ? hash : undefined;
  const [normal, raw] = spellings(password);
  const first = fits(normal, theirs === undefined ? MAX_BYTES : MAX_RAW_LENGTH) ? normal : undefined;
  const matches = await compare(first, hash, { ...imported, imported: cost });
  if (raw === undefined) return matches;
  // Also if the first has matched, since the account may be locked.
  return (await compare(fits(raw, MAX_RAW_LENGTH) ? raw : undefined, theirs, imported)) || matches;
}

/** Compares a text with a hash, and does the work of all costs. */
async function compare(text = '', hash: string | undefined, costs: Partial<PasswordCost>): Promise<boolean> {
  const pbkdf2 = hash === undefined ? undefined : pbkdf2In(hash);
  const matches = [await compareBcrypt(text, pbkdf2 ? undefined : hash, costs.imported ?? 0)];
  for (const prf of PRFS)
    matches.push(await comparePbkdf2(text, prf, pbkdf2?.prf === prf ? pbkdf2 : undefined, costs[prf] ?? 0));
  return text !== '' && matches.includes(true);
}

async function compareBcrypt(text: string, hash: string | undefined, cost: number): Promise<boolean> {
  const own = hash === undefined ? cost : costOf(hash);
  const library = await bcrypt();
  const matches = own > 0 && (await library.compare(text, hash ?? unusableHash(cost)));
  for (let lower = own; lower < cost; lower++) await library.compare('', unusableHash(lower));
  return hash !== undefined && matches;
}

async function comparePbkdf2(text: string, prf: Prf, hash: Pbkdf2 | undefined, rounds: number) {
  const derived = hash && (await derive(text, hash));
  const left = rounds - (hash ? roundsOf(hash) : 0);
  if (left > 0) await derive(text, { prf, iterations: left, salt: ONE_BLOCK, subkey: ONE_BLOCK });
  return hash !== undefined && derived !== undefined && crypto.timingSafeEqual(derived, hash.subkey);
}

const derive = (text: string, { prf, iterations, salt, subkey }: Pbkdf2) =>
  promisify(crypto.pbkdf2)(text, salt, iterations, subkey.length, prf);

/** Bytes of a salt, and of a subkey that is one block for every HMAC. */
const ONE_BLOCK = Buffer.alloc(16);

/** A hash that no password matches: its digest is zero. */
const unusableHash = (cost: number) => `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;

/** Whether a login replaces a hash: one of another service, or of another cost. */
export const isOutdated = (hash: string, cost: number) => isImported(hash) || costOf(hash) !== cost;
