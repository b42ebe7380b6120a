import { contract } from '#lib/account/code.contract';
import { createCode } from '#lib/account/create-code';
import { endpoint } from '#lib/handler/endpoint';

/** Creates a one-time code with which an account sets its password. */
export const handler = endpoint(contract, ({ accounts: [target], body, limits }, runtime) =>
  createCode(runtime, target, limits, body),
);
