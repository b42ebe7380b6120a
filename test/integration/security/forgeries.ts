import { beforeAll, describe, expect, inject, test } from 'vitest';
import { inParallel } from '../../in-parallel.ts';
import { type Forge, openForge } from './forge.ts';
import { fitsHeader, pingWith, REFUSED, SESSION_WAYS } from './ways.ts';

/** Forgeries by name, each a token of the forge that is wrong in one thing. */
export type Forgeries = Readonly<Record<string, (forge: Forge) => string>>;

/** One forgery for each value, by its name or, in a list, by its JSON. */
export function each<T>(
  values: Readonly<Record<string, T>> | readonly T[],
  forgery: (value: T) => (forge: Forge) => string,
): Forgeries {
  const named = Array.isArray(values)
    ? values.map((value: T) => [nameOf(value), value])
    : Object.entries(values);
  return Object.fromEntries(named.map(([name, value]) => [name, forgery(value as T)]));
}

/** How a value shows among the forgeries. */
export const nameOf = (value: unknown) => (value === undefined ? 'missing' : JSON.stringify(value));

/** One forgery in so many is presented in every way, the others in the first that carries them as they are. */
const SAMPLE = 4;

const waysFor = (token: string, all: boolean) =>
  Object.entries(SESSION_WAYS)
    .filter(([way]) => way === 'query' || fitsHeader(token))
    .slice(0, all ? undefined : 1);

/** Presents forgeries; answers what was not answered as it should be, by the name of the forgery and the way. */
async function unlike(expected: string, forge: Forge, forgeries: Forgeries, sample: number) {
  const sent = Object.entries(forgeries).flatMap(([name, make], nth) => {
    const token = make(forge);
    return waysFor(token, nth % sample === 0).map(
      ([way, present]) => [`${name} (${way})`, present(token)] as const,
    );
  });
  const answers = await inParallel(
    sent,
    async ([name, presented]) => [name, await pingWith(presented)] as const,
  );
  return Object.fromEntries(answers.filter(([, answer]) => answer !== expected));
}

/**
 * The tests of one file. Each group names its source; each forgery in it is refused, and what differs from a forgery
 * in nothing but what makes it one is accepted.
 */
export function testForgeries(groups: Readonly<Record<string, Forgeries>>, accepted: Forgeries = {}) {
  describe.skipIf(inject('stack'))('a session token', () => {
    let forge: Forge;
    beforeAll(async () => {
      forge = await openForge();
    });

    test('is accepted in every way when nothing is wrong with it', async () => {
      const good: Forgeries = { 'as it is': ({ mint }) => mint(), ...accepted };
      expect(await unlike(`200 ${forge.user.username}`, forge, good, 1)).toEqual({});
    });

    const named = Object.entries(groups).map(
      ([source, forgeries]) => [source, Object.keys(forgeries).length, forgeries] as const,
    );
    test.each(named)('is refused: %s (%i)', async (_source, _count, forgeries) => {
      expect(await unlike(REFUSED, forge, forgeries, SAMPLE)).toEqual({});
    });
  });
}
