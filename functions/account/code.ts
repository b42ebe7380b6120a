import { contract } from '#lib/account/code.contract';
import { createCode, makerOf } from '#lib/account/create-code';
import { endpoint } from '#lib/handler/endpoint';
import { stepUp } from '#lib/http/step-up';

/** Creates a one-time code with which an account sets its password. */
export const handler = endpoint(
  contract,
  ({ caller, accounts: [target], body, limits }, runtime) =>
    createCode(runtime, target, makerOf(caller), limits, body),
  { stepUp },
);
