import { authenticator as authenticationOf } from '#lib/auth/authenticate';
import type { Account } from '#lib/item/account';
import { openSession } from '#lib/login/open-session';
import { assertPasskey } from '#lib/passkey/assert';
import { createPasskey } from '#lib/passkey/create';
import { passkeyOptions } from '#lib/passkey/options';
import type { VerifiedSession } from '#lib/session/session-token';
import { type Answering, type Authenticator, newAuthenticator } from '../../authenticator.ts';
import { type AccountOverrides, by, openTestTable } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { publishKey } from '../support/signing-keys.ts';

export const ORIGIN = 'https://id.example.com';
export const INVALID = { code: 'invalid_credentials' };

/** A test table of an instance at {@link ORIGIN}, with accounts that have passkeys. */
export async function openPasskeys(settings: Readonly<Record<string, string>> = {}) {
  const bench = await openTestTable({ ApiUrl: `${ORIGIN}/`, ...settings });
  const { table, runtime, account, stored } = bench;
  const key = await publishKey(table);
  const signing = { ...runtime, signingKey: async () => key };
  const verify = authenticationOf(runtime);
  const authenticate = (value: string) => verify({ kind: 'jwt', value, address: undefined });

  /** A session of an account that began with its password, or with a code. */
  const session = async (of: Account, withCode = false): Promise<VerifiedSession> => {
    const { data } = await openSession(runtime, key, of, gatewayEvent(), { withCode });
    return (await authenticate(data.JWTtoken)).session as VerifiedSession;
  };
  const optionsFor = async (purpose: 'create' | 'assert', of?: Account, its?: VerifiedSession) =>
    (await passkeyOptions(runtime, of, its, { purpose })).options;

  /** Creates a passkey of an account by a session that may. */
  const enrol = async (
    of: Account,
    name = 'phone',
    its?: VerifiedSession,
    device = newAuthenticator(),
    answering: Partial<Answering> = {},
  ) => {
    const used = its ?? (await session(of));
    const options = await optionsFor('create', of, used);
    const credential = device.create(options, { origin: ORIGIN, ...answering });
    await createPasskey(runtime, of, used, name, credential, by(of.username));
    return device;
  };
  /** Sends an assertion; by default one for a challenge without an account. */
  const send = (credential: ReturnType<Authenticator['get']>, sourceIp?: string, own = signing) =>
    assertPasskey(own, { credential }, gatewayEvent(sourceIp ? { sourceIp } : {}));
  const assert = async (device: Authenticator, answering: Partial<Answering> = {}, of?: Account) =>
    send(device.get(await optionsFor('assert', of), { origin: ORIGIN, ...answering }));

  const sendWith = (body: Parameters<typeof assertPasskey>[1]) =>
    assertPasskey(signing, body, gatewayEvent());

  return {
    ...bench,
    assertPasskey,
    sendWith,
    /** The token of a session that began with the password. */
    passwordSession: async (of: Account) =>
      (await openSession(runtime, key, of, gatewayEvent(), {})).data.JWTtoken,
    key,
    signing,
    authenticate,
    session,
    optionsFor,
    enrol,
    send,
    assert,
    /** An account with a passkey, as stored, and its device. */
    user: async (part: AccountOverrides = {}, answering: Partial<Answering> = {}) => {
      const created = await account(part);
      const device = await enrol(created, 'phone', undefined, newAuthenticator(), answering);
      return { account: await stored(created), device };
    },
  };
}
