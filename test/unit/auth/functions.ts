import type { Contract } from '#lib/contract/contract';
import { endpoint } from '#lib/handler/endpoint';
import { changePassword } from '#lib/login/change-password';
import { logIn } from '#lib/login/login';
import { contract as login } from '#lib/login/login.contract';
import { contract as passwordContract } from '#lib/login/password.contract';
import { assertPasskey } from '#lib/passkey/assert';
import { contract as assertion } from '#lib/passkey/passkey-assert.contract';
import { createToken } from '#lib/token/create';
import { OPEN, type openEndpoints } from '../support/endpoints.ts';
import type { publishKey } from '../support/signing-keys.ts';

export type Bench = Awaited<ReturnType<typeof openEndpoints>>;
export type Key = Awaited<ReturnType<typeof publishKey>>;

const CREATING = {
  ...OPEN,
  id: 'test.create',
  method: 'POST',
  access: 'authenticated',
  needs: ['transaction:ConditionCheckItem:ENDED'],
} as const satisfies Contract;

/** Functions that refuse credentials; they sign sessions by a key, and publish nothing. */
export function openFunctions({ runtime }: Bench, key: Key) {
  const openers = { signingKey: () => async () => key, publish: () => async () => [] };

  return {
    create: endpoint(CREATING, ({ caller, actor }, own) =>
      createToken({ ...runtime, ...own }, caller, 'child', actor),
    ),
    login: endpoint(login, ({ body, event }, own) => logIn(own, body, event), {
      signingKey: openers.signingKey,
    }),
    password: endpoint(
      passwordContract,
      ({ caller, limits, body, event }, own) => changePassword(own, caller, limits, body, event),
      openers,
    ),
    passkey: endpoint(assertion, ({ body, event }, own) => assertPasskey(own, body, event), {
      signingKey: openers.signingKey,
    }),
  };
}

export type Functions = ReturnType<typeof openFunctions>;
