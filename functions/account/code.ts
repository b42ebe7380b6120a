import { code } from '#lib/account/contracts';
import { createCode } from '#lib/account/create-code';
import { endpoint } from '#lib/handler/endpoint';

/** Creates a one-time code with which an account sets its password. */
export const handler = endpoint(code, ({ accounts: [target], body, limits }, runtime) =>
  createCode(runtime, target, limits, body),
);
