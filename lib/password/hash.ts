import bcrypt from 'bcryptjs';
import { invalid } from '../failure.ts';

/** bcrypt reads no more than this. */
const MAX_BYTES = 72;
const MIN_BYTES = 8;

/** Normalising takes quadratic time; what is longer than this is too long in every normal form. */
const MAX_RAW_LENGTH = 1024;

/** One spelling for what looks alike (Unicode NFKC); undefined for what can be no password. */
function normalise(password: string): string | undefined {
  if (password.length > MAX_RAW_LENGTH || !password.isWellFormed() || password.includes('\0'))
    return undefined;
  const normal = password.normalize('NFKC');
  return Buffer.byteLength(normal) <= MAX_BYTES ? normal : undefined;
}

/** Stands in no string: it tells a {@link NewPassword} from what merely is a text. */
declare const CHECKED: unique symbol;

/** A password that has been checked, in the one spelling in which it is hashed. */
export type NewPassword = string & { readonly [CHECKED]: true };

/**
 * A new password in the one spelling in which it is hashed.
 *
 * @throws Failure `invalid_request` for a password that is too short, too long, or the username
 */
export function newPassword(password: string, username: string): NewPassword {
  const normal = normalise(password);
  if (normal === undefined || Buffer.byteLength(normal) < MIN_BYTES)
    throw invalid('password', `Must be ${MIN_BYTES} to ${MAX_BYTES} bytes of well-formed UTF-8 without NUL`);
  if (normal.toLowerCase() === username.toLowerCase()) throw invalid('password', 'Must not be the username');
  return normal as NewPassword;
}

/**
 * Hashes a new password.
 *
 * @param cost bcrypt cost, 10 to 15
 */
export const hashPassword = (password: NewPassword, cost: number): Promise<string> =>
  bcrypt.hash(password, cost);

/**
 * Whether the password is the one hashed. Without a hash, with one of a lower cost, or with a password that can be
 * none, the same work is done: how long it takes says nothing.
 *
 * @param cost that every verification takes; a dearer hash takes its own
 */
export async function verifyPassword(
  password: string,
  hash: string | undefined,
  cost: number,
): Promise<boolean> {
  const normal = normalise(password);
  const matches = await bcrypt.compare(normal ?? '', hash ?? unusableHash(cost));
  for (let lower = hash ? costOf(hash) : cost; lower < cost; lower++)
    await bcrypt.compare('', unusableHash(lower));
  return normal !== undefined && hash !== undefined && matches;
}

/** A hash of the cost that no password has: its digest is all zero. */
const unusableHash = (cost: number) => `$2b$${cost}$${'.'.repeat(53)}`;

/** The cost that a hash was made with: each is twice the work of the one below it. */
export const costOf = (hash: string): number => bcrypt.getRounds(hash);
