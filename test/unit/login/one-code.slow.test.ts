import { expect, onTestFinished, test } from 'vitest';
import { createCode } from '#lib/account/create-code';
import { asFailure } from '#lib/http/envelope';
import { inParallel } from '#lib/in-parallel';
import { changePassword } from '#lib/login/change-password';
import { verifyPassword } from '#lib/password/hash';
import { COST } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { publishKey } from '../support/signing-keys.ts';
import { openLogin } from './bench.ts';

const { table, clock, runtime, account, hashOf } = await openLogin();
const key = await publishKey(table);

test('a code that is used 200 times, 50 at once, sets one password', async () => {
  const ada = await account();
  const { code } = await createCode(runtime, ada, {});
  // Attempts wait for each other, and for those whose answer is lost on a busy machine until their time is over.
  const ticking = setInterval(() => (clock.time += 100), 100);
  onTestFinished(() => clearInterval(ticking));
  const all = [...Array(200).keys()];
  const passwordOf = (n: number) => `battery staple ${n}`;
  const results = await inParallel(
    all,
    (n) =>
      changePassword(
        { ...runtime, signingKey: async () => key },
        undefined,
        undefined,
        { username: ada.username, code, new_password: passwordOf(n) },
        gatewayEvent({ sourceIp: `10.0.0.${n}` }),
      ).then(
        () => n,
        (error) => asFailure(error).code,
      ),
    50,
  );
  const hash = await hashOf(ada);
  const matches = await inParallel(all, (n) => verifyPassword(passwordOf(n), hash, COST), 2);
  const set = all.filter((n) => matches[n]);
  expect(set).toHaveLength(1);
  // A busy engine may lose the answer to the one that succeeds.
  const possible = [...set, 'invalid_credentials', 'too_many_requests', 'unavailable'];
  expect(results.filter((one) => !possible.includes(one))).toEqual([]);
});
