import { expect, test } from 'vitest';
import { PER_PAIR } from '#lib/login/attempts';
import { verifyPasswordOf } from '#lib/login/password-login';
import { attemptsFromAddressKey, attemptsOfPairKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { INVALID, openLogin, PASSWORD, WRONG } from './bench.ts';

const { table, runtime, user, given } = await openLogin();

interface Named {
  readonly username: string;
}
const logInFrom = (address: string, { username }: Named, password = PASSWORD) =>
  verifyPasswordOf(runtime, username, password, address, async (account) => account);

test.each([
  ['a /64 of IPv6', '2001:db8::1', '2001:db8::ffff:0:0:1', '2001:db8:0:1::1', '2001:db8::/64'],
  ['an IPv4 address', '192.0.2.9', '::ffff:192.0.2.9', '192.0.2.8', '192.0.2.9'],
])('a login counts failures from %s together', async (_title, one, other, neighbour, network) => {
  const ada = await user();
  for (let n = 0; n < PER_PAIR.max; n++)
    await expect(logInFrom(n % 2 ? one : other, ada, WRONG)).rejects.toMatchObject(INVALID);
  await expect(logInFrom(one, ada)).rejects.toMatchObject({ limit: { name: PER_PAIR.name } });
  await expect(logInFrom(neighbour, ada, WRONG)).rejects.toMatchObject(INVALID);
  for (const key of [attemptsOfPairKey(ada.username, network), attemptsFromAddressKey(network)])
    expect((await get(table, key))?.attempts?.map(({ from }) => from)).toEqual(
      Array(PER_PAIR.max).fill(network),
    );
});

test('a login makes all addresses of its /64 known', async () => {
  const ada = await user();
  await logInFrom('2001:db8:1::1', ada);
  await given(ada, { name: { locked_at: runtime.now() } });
  await expect(logInFrom('2001:db8:1:1::1', ada)).rejects.toMatchObject(INVALID);
  expect((await logInFrom('2001:db8:1::2', ada)).id).toBe(ada.id);
});
