import { cancelAccount } from '#lib/account/lifecycle/cancel';
import { lockAccount } from '#lib/account/lifecycle/lock';
import type { Cause } from '#lib/failure/cause';
import type { Account } from '#lib/item/account';
import { createPasskey } from '#lib/passkey/create';
import { removePasskey } from '#lib/passkey/delete';
import { passkeyOptions } from '#lib/passkey/options';
import { contract } from '#lib/passkey/passkey-assert.contract';
import { AMR, type VerifiedSession } from '#lib/session/session-token';
import { accountKey } from '#lib/table/keys';
import { get } from '#lib/table/read';
import { remove } from '#lib/table/write';
import { type Answering, type Authenticator, newAuthenticator } from '../../authenticator.ts';
import { DOWN } from '../../wire/dynamodb-proxy.ts';
import { invocation } from '../support/endpoints.ts';
import { by, NOON } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import type { Bench, Functions } from './functions.ts';

type Assertion = ReturnType<Authenticator['get']>;

/** Origin of an instance without a base URL. */
const ORIGIN = 'http://localhost';
const ADMIN = by('admin');
/** User handle of another account. */
const ANOTHER = Buffer.from('another').toString('base64url');

/** The part of a session that permits the first passkey of an account. */
const BEGUN = { amr: AMR.password, iat: NOON / 1000 } as unknown as VerifiedSession;

/** Requests that `account/passkey/assert` refuses, by the cause. */
export function passkeyArrangementsOn({ table, runtime, account, wire }: Bench) {
  const asserting = (credential: Assertion) =>
    [
      'passkey',
      {
        method: contract.method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ credential }),
      },
    ] as const;
  const stored = async ({ username }: Account) => (await get(table, accountKey(username))) as Account;
  const challenge = async (of?: Account, own = runtime) =>
    (await passkeyOptions(own, of, undefined, { purpose: 'assert' })).options;
  const enrolled = async (counter = 0) => {
    const of = await account();
    const device = newAuthenticator();
    const { options } = await passkeyOptions(runtime, of, BEGUN, { purpose: 'create' });
    const credential = device.create(options, { origin: ORIGIN, counter });
    await createPasskey(runtime, of, BEGUN, 'phone', credential, by(of.username));
    return { of: await stored(of), device };
  };
  const answered = async (answering: Partial<Answering>, counter?: number) => {
    const { device } = await enrolled(counter);
    return asserting(device.get(await challenge(), { origin: ORIGIN, ...answering }));
  };
  const after = async (change: (of: Account) => Promise<unknown>) => {
    const { of, device } = await enrolled();
    const credential = device.get(await challenge(), { origin: ORIGIN });
    await change(of);
    return asserting(credential);
  };
  const ending = async (change: (of: Account) => Promise<unknown>) => {
    const { of, device } = await enrolled();
    const credential = device.get(await challenge(), { origin: ORIGIN });
    wire.before(
      (operation, sent) => operation === 'TransactWriteItems' && JSON.stringify(sent).includes('SPENT#'),
      () => change(of),
    );
    return asserting(credential);
  };
  const removal = (of: Account) => removePasskey(runtime, of, 'phone', ADMIN);

  return {
    unknown_passkey: {
      'a passkey that is nobody’s': async () =>
        asserting(newAuthenticator().get(await challenge(), { origin: ORIGIN })),
      'a removed passkey': () => after(removal),
      'a removed passkey whose empty item stays': () =>
        after(async (of) => {
          wire.script((operation) => (operation === 'DeleteItem' ? DOWN : undefined));
          await removal(of);
          wire.script(() => undefined);
        }),
    },
    passkey_removed: { 'an assertion during the removal': () => ending(removal) },
    account_unknown: { 'an assertion': () => after((of) => remove(table, accountKey(of.username))) },
    account_cancelled: { 'an assertion': () => after((of) => cancelAccount(runtime, of, ADMIN)) },
    account_locked: {
      'an assertion': () => after((of) => lockAccount(runtime, of, ADMIN)),
      'an assertion during the lock': () => ending((of) => lockAccount(runtime, of, ADMIN)),
    },
    wrong_challenge: {
      'a challenge that the service has not made': () =>
        answered({ challenge: Buffer.from('a challenge').toString('base64url') }),
      'a challenge of another purpose': async () => {
        const { of, device } = await enrolled();
        const raised = { ...BEGUN, auth_time: NOON / 1000 };
        const { options } = await passkeyOptions(runtime, of, raised, { purpose: 'create' });
        const { challenge: other } = options as { challenge: string };
        return asserting(device.get(await challenge(of), { origin: ORIGIN, challenge: other }));
      },
      'a challenge of another account': async () =>
        answered({ challenge: (await challenge(await account()))['challenge'] as string }),
    },
    challenge_expired: {
      'an old challenge': async () => {
        const earlier = await challenge(undefined, { ...runtime, now: () => NOON - 300_000 });
        return answered({ challenge: earlier['challenge'] as string });
      },
    },
    wrong_origin: {
      'a page of another origin': () => answered({ origin: 'https://phishing.example' }),
      'a page in a frame of another origin': () => answered({ crossOrigin: true }),
    },
    wrong_assertion: {
      'another domain': () => answered({ rpId: 'phishing.example' }),
      'a device that has not verified its user': () => answered({ isVerified: false }),
      'the answer to another ceremony': () => answered({ type: 'webauthn.create' }),
      'the signature of another device': async () => {
        const { device } = await enrolled();
        const options = await challenge();
        const forged = newAuthenticator().get(options, { origin: ORIGIN });
        return asserting({ ...device.get(options, { origin: ORIGIN }), response: forged.response });
      },
      'no WebAuthn at all': async () => {
        const { device } = await enrolled();
        const { response, ...rest } = device.get(await challenge(), { origin: ORIGIN });
        return asserting({
          ...rest,
          response: { ...response, clientDataJSON: 'e30', authenticatorData: '' },
        });
      },
    },
    wrong_user_handle: {
      'a passkey for another account': () => answered({ userHandle: ANOTHER }),
      'a passkey for another account than that of its challenge': async () => {
        const { of, device } = await enrolled();
        return asserting(device.get(await challenge(of), { origin: ORIGIN, userHandle: ANOTHER }));
      },
      'a passkey that names none': () => answered({ userHandle: null }),
    },
    passkey_cloned: {
      'a counter that stands': () => answered({ counter: 7 }, 7),
      'a counter that went back to 0': () => answered({ counter: 0 }, 7),
    },
    challenge_spent: {
      'a replay': async ({ passkey }: Functions) => {
        const { device } = await enrolled();
        const [name, sent] = asserting(device.get(await challenge(), { origin: ORIGIN }));
        await passkey(gatewayEvent(sent), invocation());
        return [name, sent] as const;
      },
    },
  } satisfies Partial<Record<Cause, unknown>>;
}
