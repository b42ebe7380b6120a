import { beforeEach, expect, test, vi } from 'vitest';
import { lockAccount } from '#lib/account/lifecycle/lock';
import { endUntil } from '#lib/account/sessions';
import { endpoint } from '#lib/handler/endpoint';
import type { Account } from '#lib/item/account';
import { openSession } from '#lib/login/open-session';
import { createPasskey } from '#lib/passkey/create';
import { passkeyOptions } from '#lib/passkey/options';
import { contract } from '#lib/passkey/passkey-create.contract';
import { AMR, type VerifiedSession } from '#lib/session/session-token';
import { newAuthenticator } from '../../authenticator.ts';
import { call, openEndpoints } from '../support/endpoints.ts';
import { by } from '../support/engine.ts';
import { gatewayEvent } from '../support/gateway-event.ts';
import { logLines } from '../support/log-lines.ts';
import { publishKey } from '../support/signing-keys.ts';

const lines = logLines();
const { table, wire, clock, runtime, account, stored } = await openEndpoints();
const key = await publishKey(table);
/** The function, with the clock of the test. */
const open = () =>
  endpoint(
    contract,
    ({ caller, session, actor, params, body }, own) =>
      createPasskey(own, caller, session, params.passkey_name, body.credential, actor),
    { publish: () => async () => [] },
  );
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: clock.time });
  return () => vi.useRealTimers();
});

const CHANGES = {
  nothing: [async () => undefined, 200, undefined],
  'the end of its session': [
    (of: Account, id: string) => endUntil(runtime, of, id, clock.time / 1000 + 3600),
    401,
    'session_ended',
  ],
  'a lock of its account': [(of: Account) => lockAccount(runtime, of, by('admin')), 401, 'account_locked'],
} as const;

test.each(Object.entries(CHANGES))(
  'a new passkey is stored only if its session is still open, after %s meanwhile',
  async (_, [change, status, cause]) => {
    const of = await account();
    const { data, login } = (await openSession(runtime, key, of, gatewayEvent(), {})) as {
      data: { JWTtoken: string };
      login: { session: string };
    };
    const begun = { amr: AMR.password, iat: clock.time / 1000 } as unknown as VerifiedSession;
    const { options } = await passkeyOptions(runtime, of, begun, { purpose: 'create' });
    const credential = newAuthenticator().create(options, { origin: 'http://localhost' });
    wire.before(
      (operation, sent) => operation === 'TransactWriteItems' && JSON.stringify(sent).includes('SPENT#'),
      () => change(of, login.session),
    );
    const reply = await call(open(), {
      method: 'POST',
      headers: { authorization: `Bearer ${data.JWTtoken}`, 'content-type': 'application/json' },
      pathParameters: { passkey_name: 'phone' },
      body: JSON.stringify({ credential }),
    });
    expect(reply.status).toBe(status);
    expect(lines.find((line) => 'status' in line)?.['cause']).toBe(cause);
    expect(Object.keys((await stored(of)).passkeys ?? {})).toEqual(status === 200 ? ['phone'] : []);
  },
);
