import { beforeAll, describe, expect, test } from 'vitest';
import { inParallel } from '../../in-parallel.ts';
import { createUser, post, type User } from '../service.ts';
import { type Known, MUTATIONS, PREFIX, SECRET, sealed } from './token-mutations.ts';
import { fitsHeader, pingWith, REFUSED, TOKEN_WAYS } from './ways.ts';

let user: User;
let known: Known;
beforeAll(async () => {
  user = await createUser();
  const another = await createUser();
  const [token, other, deleted] = [await user.token(), await another.token(), await user.token('deleted')];
  const reply = await post(`/api/core/token/delete/deleted/${user.username}`, { token });
  expect(reply.status).toBe(200);
  known = { token, other, deleted };
});

const outcomes = async (values: Readonly<Record<string, string>>, expected: string) => {
  const sent = Object.entries(values).flatMap(([name, value]) =>
    Object.entries(TOKEN_WAYS)
      .filter(([way]) => way !== 'Token' || fitsHeader(value))
      .map(([way, present]) => [`${name} (${way})`, present(value)] as const),
  );
  const answers = await inParallel(
    sent,
    async ([name, presented]) => [name, await pingWith(presented)] as const,
  );
  return Object.fromEntries(answers.filter(([, answer]) => answer !== expected));
};

test('an API token is accepted in every way, and the checksum of these tests is that of the format', async () => {
  expect(sealed(known.token.slice(PREFIX, PREFIX + SECRET))).toBe(known.token);
  expect(await outcomes({ token: known.token }, `200 ${user.username}`)).toEqual({});
});

describe('an API token is refused', () => {
  const groups = Object.entries(MUTATIONS).map(
    ([source, all]) => [source, Object.keys(all).length, all] as const,
  );

  test.each(groups)('%s (%i)', async (_source, _count, mutations) => {
    const values = Object.fromEntries(
      Object.entries(mutations).map(([name, mutation]) => [name, mutation(known)]),
    );
    expect(Object.values(values)).not.toContain(known.token);
    expect(await outcomes(values, REFUSED)).toEqual({});
  });
});
