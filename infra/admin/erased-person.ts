import { isUsername } from '#lib/account/identifiers';
import { HASHING } from '#lib/contract/needs';
import { contract } from '#lib/erasure/erase.contract';
import { isIdLike, isPseudonym, pseudonymOf } from '#lib/item/erasure';
import { erasedHashed } from '#lib/pseudonym/erased';
import { OtherKey } from '#lib/pseudonym/erasure-key';
import { foldCase } from '#lib/text/fold-case';
import type { Target } from './target.ts';

/** Needs of {@link pseudonymBy}; support has no key, so it names `erased:<id>` itself. */
export const BY_NAME = HASHING;

/**
 * The pseudonym of the erased account that had a name. Only operators who may read the key find it; others get a hint with
 * the form that they can name instead.
 */
export async function pseudonymBy(
  { runtime }: Pick<Target, 'runtime'>,
  name: string,
): Promise<string | undefined> {
  if (!isUsername(name)) return undefined;
  const hash = await runtime.hashName(name).catch((error: Error) => {
    // Names in any other way would be guesses: support may read the log, but also write into it.
    if (error.name !== 'AccessDeniedException' && !(error instanceof OtherKey)) throw error;
    console.error(
      `Whether ${name} was erased is unknown without the erasure key: if so, name erased:<id>, which "audit --target ${name}" shows as userid`,
    );
  });
  if (hash === undefined) return undefined;
  const erased = await erasedHashed(runtime.table, hash);
  return erased && pseudonymOf(erased.erased_id);
}

/** The names by which what an account has made is stored: its own, and its pseudonym if it was erased. */
export async function makerNames(target: Pick<Target, 'runtime'>, name: string): Promise<readonly string[]> {
  const pseudonym = await pseudonymBy(target, name);
  return pseudonym === undefined ? [name] : [name, pseudonym];
}

/** An erasure as the audit log has it. */
export interface LoggedErasure {
  readonly username: string;
  readonly pseudonym: string;
  readonly erased_at: number;
}

/** The erasures of the audit log, for lists only: no line is proof of one. */
export async function loggedErasures({ audit }: Pick<Target, 'audit'>): Promise<readonly LoggedErasure[]> {
  const actions = [contract.id, 'admin account erase'];
  const entries = (await Promise.all(actions.map((action) => audit.read({ action, outcome: 'ok' })))).flat();
  return entries.flatMap(({ target, changed, time, details }) => {
    const userid = details?.['userid'];
    if (!changed || target === null || !isErasure(target, userid)) return [];
    return [{ username: foldCase(target), pseudonym: pseudonymOf(userid), erased_at: Date.parse(time) }];
  });
}

/**
 * Whether the values of a line are those of an erasure. Whoever may write a line may write any text, which people would copy
 * from a list into a shell.
 */
export const isErasure = (target: string, userid: unknown): userid is string =>
  isUsername(target) && typeof userid === 'string' && isIdLike(userid);

/** The pseudonym that a command was given, in its usual spelling. */
export const givenPseudonym = (name: string) => (isPseudonym(foldCase(name)) ? foldCase(name) : undefined);
